"""Addresses of shells: each has a block of 198.18.0.0/15, within the block of the outer shell.

These are addresses for measurements (RFC 2544, section C.2.2), which networks should not use for
other purposes. A namespace has one route to the whole block of a shell that was started in it,
which includes the inner shells. In a shell's own namespace its block has an "unreachable" route,
so that packets for unused addresses are not sent back.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping
from ipaddress import AddressValueError, IPv4Network, NetmaskValueError
from typing import Any

ALL = IPv4Network("198.18.0.0/15")
_OUTER_PREFIX = 20
_MORE_BITS = 3
_LONGEST_PREFIX = 29
"""Number of a block's own addresses, after its first address."""


class NoBlockError(Exception):
    """No free block is left in this namespace."""


def first() -> IPv4Network:
    """Return the block of a shell to whose addresses no other namespace has routes."""
    return next(ALL.subnets(new_prefix=_OUTER_PREFIX))


def number(block: IPv4Network) -> int:
    """Return the number of a block among the blocks of its size."""
    return (int(block.network_address) - int(ALL.network_address)) // block.num_addresses


def here() -> list[IPv4Network]:
    """Return the free blocks for a shell in the network namespace of this process.

    Raises:
        NoBlockError: no block is free.
        OSError: ``ip`` reports no routes.
    """
    command = ["ip", "-json", "-4", "route", "show", "table", "all"]
    try:
        described = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise OSError("ip is not installed; on Debian, apt install iproute2") from None
    if described.returncode:
        raise OSError(f"ip: {' '.join(described.stderr.split())}")
    return free(json.loads(described.stdout or "[]"))


def free(routes: Iterable[Mapping[str, Any]]) -> list[IPv4Network]:
    """Return the blocks that no route uses.

    Args:
        routes: routes in the form of ``ip -json route``.

    Raises:
        NoBlockError: no block is free.
    """
    taken, around = [], ALL
    for route in routes:
        network = _network(route["dst"])
        if network is None or not network.overlaps(ALL):
            continue
        if route.get("type") == "unreachable":
            around = network
        else:
            taken.append(network)
    inner = around != ALL
    prefix = around.prefixlen + _MORE_BITS if inner else _OUTER_PREFIX
    if prefix > _LONGEST_PREFIX:
        raise NoBlockError("at most four shells can be nested")
    # The first sub-block contains the shell's own two addresses.
    parts = list(around.subnets(new_prefix=prefix))[inner:]
    found = [part for part in parts if not any(part.overlaps(its) for its in taken)]
    if not found:
        raise NoBlockError(f"no addresses of {around} are left: each shell takes a /{prefix}")
    return found


def _network(destination: str) -> IPv4Network | None:
    """Return the destination of a route; none for the default route."""
    try:
        return None if destination == "default" else IPv4Network(destination, strict=False)
    except (AddressValueError, NetmaskValueError, ValueError):
        return None
