"""Addresses of shells: each has a block of 198.18.0.0/15, out of that of the shell around it.

These are addresses for measurements (RFC 2544, section C.2.2), which no network should use for
anything else. A namespace has one route to the whole block of a shell that was started in it, and
so to the shells within that shell. A shell's own block is the route "unreachable" of its namespace,
so that packets for unused addresses do not return to where they came from.
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
"""A block has two addresses of its own, behind its first."""


class NoBlockError(Exception):
    """There is no block left here."""


def first() -> IPv4Network:
    """The block of a shell whose addresses no other namespace has routes to."""
    return next(ALL.subnets(new_prefix=_OUTER_PREFIX))


def number(block: IPv4Network) -> int:
    """The number of a block among those of its size."""
    return (int(block.network_address) - int(ALL.network_address)) // block.num_addresses


def here() -> list[IPv4Network]:
    """The blocks that a shell started in the network namespace of this process may have.

    Raises:
        NoBlockError: there is none.
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
    """The blocks that no route uses.

    Args:
        routes: as ``ip -json route`` lists them.

    Raises:
        NoBlockError: there is none.
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
    # The first of a shell's block has its own two addresses.
    parts = list(around.subnets(new_prefix=prefix))[inner:]
    found = [part for part in parts if not any(part.overlaps(its) for its in taken)]
    if not found:
        raise NoBlockError(f"no addresses of {around} are left: each shell takes a /{prefix}")
    return found


def _network(destination: str) -> IPv4Network | None:
    """The destination of a route; none of the default route."""
    try:
        return None if destination == "default" else IPv4Network(destination, strict=False)
    except (AddressValueError, NetmaskValueError, ValueError):
        return None
