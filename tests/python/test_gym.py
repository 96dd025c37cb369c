"""A simulated flow as an environment of Gymnasium."""

from itertools import islice, repeat

import numpy as np
import pytest

from ackclock.code_permission import code_allowed
from ackclock.errors import InputError
from own_tcp_runs import SCENARIO, class_text
from test_docs import FENCE, ROOT

gymnasium = pytest.importorskip("gymnasium")
# After the skip: it needs the package.
from gymnasium.utils.env_checker import check_env  # noqa: E402

from ackclock.gym import Env  # noqa: E402

GOODPUT, RTT, MIN_RTT, QUEUEING, LOSS, CWND, IN_FLIGHT = range(7)
HOWTO = ROOT / "docs/howto/write-a-tcp-in-python.md"


def played(env, actions, seed=1):
    """The observations, rewards and information of an episode."""
    seen, rewards = [env.reset(seed=seed)[0]], []
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(np.array([action], np.float32))
        assert not terminated
        seen.append(observation)
        rewards.append(reward)
        if truncated:
            break
    return np.array(seen), rewards, info


@pytest.mark.parametrize("act", ["cwnd", "rate"])
def test_it_is_an_environment(act):
    # Without a name in the registry, modes of rendering cannot be checked; there is none.
    check_env(Env(SCENARIO, act=act, sets=["duration=3 s"]), skip_render_check=True)


def test_equal_seeds_and_actions_give_equal_numbers():
    env = Env(SCENARIO)
    actions = [0.1, -0.1, 0.5, 0.0] * 20
    one, again = (played(env, actions, seed=4)[0] for _ in range(2))
    assert one.tobytes() == again.tobytes()
    assert one.tobytes() != played(env, actions, seed=5)[0].tobytes()


def test_cwnd_is_what_the_actions_make_of_it():
    seen, _, _ = played(Env(SCENARIO), [1.0, 0.0, -1.0, -1.0])
    start = seen[0][CWND]
    assert list(seen[:, CWND] / start) == [1, 2, 2, 1, 0.5]
    assert start == 10 * 1448


def test_a_window_of_the_path_fills_it_without_a_queue():
    """20 Mbit/s and an RTT of 34 ms: 59 segments of 1500 B."""
    small, _, _ = played(Env(SCENARIO), [0.0] * 200)
    assert small[-100:, GOODPUT].mean() == pytest.approx(8 * 10 * 1448 / 0.034, rel=0.1)
    grown, rewards, _ = played(Env(SCENARIO), [1.0, 1.0, 0.5, *repeat(0.0, 200)])
    assert grown[-100:, GOODPUT].mean() == pytest.approx(20e6 * 1448 / 1500, rel=0.05)
    assert grown[-1][QUEUEING] < 0.002
    full, more, _ = played(Env(SCENARIO), [1.0, 1.0, 1.0, *repeat(0.0, 200)])
    assert full[-1][QUEUEING] > 0.01
    assert sum(more[-100:]) < sum(rewards[-100:]), "a queue costs reward"
    assert np.all(full[:, RTT] >= full[:, MIN_RTT])


def test_losses_are_seen():
    seen, _, _ = played(Env(SCENARIO), [0.3] * 60)
    assert 0 < seen[:, LOSS].max() <= 1


def test_a_pacing_rate_is_followed():
    sets = ["topology.bottleneck.rate=100 Mbit/s"]
    seen, _, _ = played(Env(SCENARIO, act="rate", sets=sets), [0.0] * 300)
    assert seen[-100:, GOODPUT].mean() == pytest.approx(8 * 14480 / 0.1, rel=0.1)


def test_an_episode_ends_with_the_run():
    env = Env(SCENARIO, sets=["duration=2 s"], interval="30 ms")
    _, rewards, info = played(env, repeat(0.0, 1000))
    assert info["time_s"] == 2
    assert info["metrics"]["goodput_bit_s"] > 1e6
    assert len(rewards) < 2 / 0.03
    with pytest.raises(gymnasium.error.ResetNeeded):
        Env(SCENARIO).step(np.zeros(1, np.float32))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"flow": 3}, "flow: 3: there are 1 flows; write 0 to 0"),
        ({"interval": "20"}, "interval: "),
        ({"act": "window"}, 'act: choose from cwnd, rate; write for example act="cwnd"'),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(InputError) as caught:
        Env(SCENARIO, **arguments)
    assert message in str(caught.value)


def test_other_flows_may_have_their_own_code(tmp_path):
    (tmp_path / "my_tcp.py").write_text(class_text())
    sets = [f"tcp.flavor={tmp_path}/my_tcp.py:MyControl", "topology.pairs=2", "duration=3 s"]
    with pytest.raises(InputError, match="--allow-code"):
        Env(SCENARIO, sets=sets)
    with code_allowed():
        _, _, info = played(Env(SCENARIO, sets=sets), islice(repeat(0.0), 1000))
    assert info["metrics"]["goodput_bit_s"] > 1e6


def test_the_example_of_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    texts = {match[2]: match[3] for match in FENCE.finditer(HOWTO.read_text(encoding="utf-8"))}
    for name in ("lab.toml", "reno.py", "train.py"):
        (tmp_path / name).write_text(texts[name])
    exec(compile(texts["train.py"], "train.py", "exec"), {})
    assert float(capsys.readouterr().out) > 5e6
