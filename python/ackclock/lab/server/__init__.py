"""The server: the socket, the guard, and the table of routes."""
