"""The lab in the browser: a server on this computer, and the page that it serves.

| module | what |
|---|---|
| ``frame`` | frames: named arrays for the page, without a copy |
"""
