"""``ackclock shell``: run any program over the path of a scenario.

| module | what |
|---|---|
| ``session`` | the options, the request, and the result |
| ``caller`` | the process that waits, and gives the terminal to the command |
| ``launcher`` | the process that makes the namespaces |
| ``supervisor`` | process 1 of these namespaces: both ends of the path, and the driver |
| ``node`` | one end of the path: its addresses and files, and the command, the server or a device |
| ``program`` | the command or the server as a process |
| ``addresses`` | blocks of addresses, distinct for nested shells |
"""
