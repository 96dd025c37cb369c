"""The environment: a run in slices, of which a program controls one sender."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import log
from pathlib import Path
from typing import Any, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ackclock import _core
from ackclock.code_permission import check_code
from ackclock.errors import InputError
from ackclock.gym.agent import UNLIMITED, Agent
from ackclock.results.metrics import measure
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json, written_out
from ackclock.scenario.points import chosen_point
from ackclock.scenario.units import TIME
from ackclock.scenario.values.quantities import quantity

OBSERVED = {
    "goodput_bit_s": 1e14,
    "rtt_s": 1e4,
    "min_rtt_s": 1e4,
    "queueing_delay_s": 1e4,
    "loss_rate": 1.0,
    "cwnd_bytes": 2.0**31,
    "in_flight_bytes": 2.0**31,
}
"""The numbers of an observation, in this order, with the largest that each can be."""
ACTS = ("cwnd", "rate")
_LEAST_GOODPUT = 1e3
"""Goodput that counts in the reward if less was delivered, bit/s."""
_FIRST_RTT_S = 0.1
"""RTT from which the first pacing rate follows if there is no sample."""
_INTERVAL = quantity(TIME, positive=True, example="20 ms")
_PS_PER_S = 10**12
_BITS = 8
_LEAST_RATE = 10_000
_MOST_RATE = 10**14
_LONG_S = 3600.0


class Env(gymnasium.Env[NDArray[np.float32], NDArray[np.float32]]):
    """One sender of a simulated scenario; a step is an interval of simulated time.

    An action is one number a from -1 to 1: cwnd, or the pacing rate, is multiplied by 2**a.

    An observation has the numbers of ``OBSERVED`` about the last interval: bit/s that were newly
    delivered, the mean RTT (s; that of an earlier interval if there was no sample), the smallest
    RTT so far (s), their difference (s), the share of the bytes that were found to be lost, cwnd
    (bytes), and the bytes that are sent and not acknowledged.

    The reward is log(goodput in Mbit/s) - delta log(RTT / smallest RTT), in natural logarithms; a
    goodput below 1 kbit/s counts as 1 kbit/s.

    An episode ends with the run, and is then "truncated", because the end does not depend on the
    actions. ``info`` has the simulated time, s, and at the end the metrics of the run.
    """

    metadata = {"render_modes": []}  # noqa: RUF012  Gymnasium's own form

    def __init__(
        self,
        scenario: str | Path | Mapping[str, Any],
        *,
        flow: int = 0,
        interval: str = "20 ms",
        act: Literal["cwnd", "rate"] = "cwnd",
        delta: float = 1.0,
        sets: Sequence[str] = (),
        point: int = 0,
    ) -> None:
        """Read the scenario.

        Args:
            scenario: path of a scenario file; or the text of one, if it has a line break; or its
                tables.
            flow: number of the flow whose sender is controlled, counted from 0.
            interval: simulated time of a step.
            act: whether an action changes cwnd or the pacing rate; with "rate" only the receiver's
                window limits the data in flight.
            delta: weight of the delay in the reward.
            sets: texts ``key=value`` that change the scenario.
            point: number of the sweep point.

        Raises:
            InputError: the scenario is wrong, there is no such flow, or an argument is wrong.
        """
        if act not in ACTS:
            raise InputError(f'act: choose from {", ".join(ACTS)}; write for example act="cwnd"')
        try:
            self._interval_s = _INTERVAL.read(interval) / _PS_PER_S
        except ValueError as error:
            raise InputError(f"interval: {error}") from None
        compiled = chosen_point(load(scenario, sets).points(), point).compile()
        self._plan = canonical_json(_controlled(compiled.without_probes(), flow))
        check_code(canonical_json(compiled.plan))
        self._facts, self._act, self._delta = compiled.facts, act, delta
        most = np.array([*OBSERVED.values()], np.float32)
        self.observation_space = gymnasium.spaces.Box(np.zeros_like(most), most, dtype=np.float32)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (1,), np.float32)
        self._run: _core.Run | None = None
        self._agent: Agent | None = None
        self._now_s = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin another run; equal seeds give equal runs.

        Returns:
            The observation when the flow has begun to send, and the information about it.

        Raises:
            InputError: the flow sends nothing.
        """
        super().reset(seed=seed, options=options)
        self.close()
        self._agent, self._now_s = None, 0.0
        number = int(self.np_random.integers(2**63))
        make = partial(self._made)
        make.reduction = Agent.reduction  # the core reads it where a class would have it
        self._run = _core.Run(self._plan, number, make)
        while self._agent is None:
            if self._advance():
                raise InputError("flow: it sends nothing in this scenario; name another flow")
        self._agent.end_interval()
        return self._observation(), {"time_s": self._now_s}

    def step(
        self, action: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Act, and simulate an interval.

        Returns:
            Observation, reward, False, whether the run is over, and information.
        """
        if self._run is None or self._agent is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        self._apply(2.0 ** float(np.clip(action, -1.0, 1.0)[0]))
        self._agent.begin_interval()
        is_over = self._advance()
        self._agent.end_interval()
        information: dict[str, Any] = {"time_s": self._now_s}
        if is_over:
            information["metrics"] = measure(self._run.columns(), self._facts)
        return self._observation(), self._reward(), False, is_over, information

    def close(self) -> None:
        """End the run and free its memory."""
        if self._run is not None:
            self._run.stop()
            self._run = None

    def _made(self, flow: Any) -> Agent:
        self._agent = Agent(flow)
        if self._act == "rate":
            self._agent.pacing_rate = int(_BITS * flow.initial_window / _FIRST_RTT_S)
            self._agent.cwnd = UNLIMITED
        return self._agent

    def _apply(self, factor: float) -> None:
        its = self._agent
        assert its is not None
        if its.pacing_rate is None:
            its.cwnd = max(int(its.cwnd * factor), its.mss)
        else:
            its.pacing_rate = min(max(int(its.pacing_rate * factor), _LEAST_RATE), _MOST_RATE)

    def _advance(self) -> bool:
        """Simulate an interval; return whether the run is over."""
        assert self._run is not None
        self._now_s = min(self._now_s + self._interval_s, self._run.duration_s)
        return self._run.advance(_LONG_S, self._now_s) == 1.0

    def _goodput(self) -> float:
        assert self._agent is not None
        return _BITS * self._agent.delivered / self._interval_s

    def _observation(self) -> NDArray[np.float32]:
        its = self._agent
        assert its is not None
        seen = its.delivered + its.lost
        numbers = (
            self._goodput(),
            its.rtt,
            its.min_rtt,
            max(its.rtt - its.min_rtt, 0.0),
            its.lost / seen if seen else 0.0,
            its.cwnd,
            its.in_flight,
        )
        return np.clip(np.array(numbers, np.float32), 0.0, self.observation_space.high)

    def _reward(self) -> float:
        its = self._agent
        assert its is not None
        delay = log(its.rtt / its.min_rtt) if its.min_rtt > 0 and its.rtt > 0 else 0.0
        return log(max(self._goodput(), _LEAST_GOODPUT) / 1e6) - self._delta * delay


def _controlled(plan: Mapping[str, Any], flow: int) -> dict[str, Any]:
    """A plan in which the sender of a flow has a congestion control from outside.

    Raises:
        InputError: there is no such flow, or it has no TCP.
    """
    plan = written_out(plan)
    flows = plan["flows"]
    if not 0 <= flow < len(flows):
        raise InputError(f"flow: {flow}: there are {len(flows)} flows; write 0 to {len(flows) - 1}")
    if plan["workloads"][flows[flow]["workload"]]["kind"] == "datagrams":
        raise InputError(f"flow: {flow}: it has no TCP; name another flow")
    tcp = plan["tcps"][flows[flow]["sender_tcp"]]
    code = {"python": {"file": "ackclock.gym", "class": Agent.__name__, "text": ""}}
    options = {**tcp["options"], "pacing": "cc", "slow_start": "standard"}
    flows[flow]["sender_tcp"] = len(plan["tcps"])
    tcps = [*plan["tcps"], {**tcp, "flavor": code, "options": options}]
    return {**plan, "flows": flows, "tcps": tcps}
