"""A simulated flow as an environment of Gymnasium, for programs that train congestion controls.

>>> from ackclock.gym import Env
>>> env = Env("lab.toml", flow=0, interval="20 ms", act="cwnd")  # doctest: +SKIP

Needs the extra ``gym``: pip install 'ackclock[gym]'.
"""

from __future__ import annotations

from ackclock.late_names import late_names

__all__ = ["Env"]
__getattr__ = late_names(__name__, {"Env": "environment"})
