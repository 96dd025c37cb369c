"""``ackclock shell``: any program through the path of a scenario.

| module | what |
|---|---|
| ``session`` | the options, the request, and how the command ended |
| ``caller`` | the process that keeps the terminal for the command and waits |
| ``launcher`` | the process that makes the namespaces |
| ``supervisor`` | process 1 of these namespaces: both ends of the path, and the driver |
| ``node`` | one end of the path: its addresses and files, and the command, the server or a device |
| ``program`` | the command or the server as a process |
| ``addresses`` | blocks of addresses, so that shells in shells do not collide |
"""
