"""Web pages and files: kinds of workload, groups that are not there, hosts that flows share."""

import pytest

from ackclock import _core
from ackclock.scenario import load
from ackclock.scenario.distributions import shipped
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.summary import group_rows, link_rows
from ackclock.scenario.workload_text import workload_text
from scenario_calls import compiled, refused, written
from scenario_texts import ATM, DUMBBELL, GRAPH, WEB

S = 10**12
PAGES = DUMBBELL + '[workload]\nkind = "http10"\n'
GROUPS = (
    PAGES
    + """
[[flows]]
name = "web"
count = 3
[[flows]]
name = "ftp"
count = 2
workload = { kind = "ftp", file_size = "2 MB" }
[[flows]]
name = "up"
reverse = true
workload = { kind = "http11", start = "1 s" }
"""
)


def workloads(text, *sets):
    return compiled(text, *sets).plan["workloads"]


def test_http10_fetches_the_inline_objects_at_once():
    mah = shipped("mah_http")
    assert workloads(PAGES) == [
        {
            "kind": "pages",
            "request_bytes": 80,
            "answers_with_ack": True,
            "stages": [{"connections": 1, "objects": 1}, {"connections": 3, "objects": 1}],
            "sizes": {
                "law": "quantiles",
                "u_ppb": mah.u_ppb,
                "bytes": mah.bytes,
                "interpolation": "log",
            },
            "pause": {"law": "uniform", "min_ps": S, "max_ps": 5 * S},
            "start_ps": 0,
            "start_spread_ps": 0,
        }
    ]
    (alone,) = workloads(PAGES, "workload.inline_objects=0")
    assert alone["stages"] == [{"connections": 1, "objects": 1}]


def test_http11_fetches_all_objects_on_one_connection():
    (old,) = workloads(PAGES)
    (new,) = workloads(PAGES, "workload.kind=http11")
    assert new == {**old, "stages": [{"connections": 1, "objects": 4}]}
    (most,) = workloads(PAGES, "workload.kind=http11", "workload.inline_objects=999")
    assert most["stages"] == [{"connections": 1, "objects": 1000}]


def test_ftp_fetches_files_without_a_pause():
    sets = ["workload.kind=ftp", "workload.start=1 s", "workload.start_spread=2 s"]
    sets += ["workload.request_size=100 B", "workload.answers_with_ack=false"]
    assert workloads(PAGES, *sets) == [
        {
            "kind": "pages",
            "request_bytes": 100,
            "answers_with_ack": False,
            "stages": [{"connections": 1, "objects": 1}],
            "sizes": {"law": "fixed", "bytes": 10**6},
            "pause": {"law": "uniform", "min_ps": 0, "max_ps": 0},
            "start_ps": S,
            "start_spread_ps": 2 * S,
        }
    ]


def test_what_a_law_does_not_use_changes_no_plan():
    fixed = workloads(PAGES, "workload.sizes=12 kB")
    assert fixed[0]["sizes"] == {"law": "fixed", "bytes": 12_000}
    assert workloads(PAGES, "workload.sizes=12 kB", "workload.sizes_interpolation=none") == fixed
    (none,) = workloads(PAGES, "workload.sizes_interpolation=none")
    assert none["sizes"]["interpolation"] == "none"


def test_groups_of_several_kinds():
    made = compiled(GROUPS)
    assert made.facts.flow_workloads == ("http10",) * 3 + ("ftp",) * 2 + ("http11",)
    kinds = [made.plan["workloads"][flow["workload"]] for flow in made.plan["flows"]]
    assert kinds[3]["sizes"] == {"law": "fixed", "bytes": 2 * 10**6}
    assert kinds[5]["start_ps"] == S
    # Servers are nodes 6 to 11; the data of the last group goes to them.
    ends = [(flow["sender"], flow["receiver"]) for flow in made.plan["flows"]]
    assert ends == [(6, 0), (7, 1), (8, 2), (9, 3), (10, 4), (5, 11)]


def test_a_kind_of_its_own_inherits_nothing_and_the_same_kind_all():
    own = 'workload = { kind = "KIND", pause_min = "0 s" }'
    text = f"{PAGES}inline_objects = 1\n[[flows]]\n{own}\n"
    (same,) = workloads(text.replace("KIND", "http10"))
    (other,) = workloads(text.replace("KIND", "http11"))
    assert same["stages"][1]["connections"] == 1
    assert other["stages"][0]["objects"] == 4
    assert same["pause"] == other["pause"] == {"law": "uniform", "min_ps": 0, "max_ps": 5 * S}


def test_the_facts_name_every_kind_as_the_scenario_does():
    kinds = ("bulk", "www_batches", "http10", "http11", "ftp", "http_sessions", "cbr", "on_off")
    for kind in (*kinds, "arrivals", "rpc", "video"):
        facts = compiled(DUMBBELL, f"workload.kind={kind}", "topology.pairs=2").facts
        assert facts.flow_workloads == (kind, kind)
    assert compiled(ATM).facts.flow_workloads == ("www_batches",) * 3


@pytest.mark.parametrize("text", [ATM, GRAPH])
@pytest.mark.parametrize("kind", ["http10", "http11", "ftp", "http_sessions"])
def test_they_go_with_every_topology(text, kind):
    text = text.replace('[workload]\nkind = "www_batches"\n', "")
    made = compiled(f'{text}\n[workload]\nkind = "{kind}"\n')
    assert {each["kind"] for each in made.plan["workloads"]} == {"pages"}


def test_a_group_without_flows_is_not_there():
    there = compiled(GROUPS, "flows[1].count=0")
    assert there.facts.flow_names == ("web 1", "web 2", "web 3", "up")
    head, web, _, up = GROUPS.split("[[flows]]")
    without = compiled("[[flows]]".join([head, web, up]))
    assert canonical_json(there.plan) == canonical_json(without.plan)


def test_a_sweep_may_leave_a_group_out():
    points = load(GROUPS, ["sweep.factors.flows[1].count=[0, 1, 2]"]).points()
    assert [len(written(point.compile()).plan["flows"]) for point in points] == [4, 5, 6]
    assert group_rows(points[0].scenario)[-1].name == "up"


def test_one_flow_there_must_be():
    sets = [f"flows[{group}].count=0" for group in range(3)]
    assert refused(GROUPS, *sets) == [
        "--set flows[0].count=0: there is no flow in any group; write 1 or more"
    ]


def test_flows_are_spread_over_shared_hosts_in_turn():
    made = compiled(GROUPS, "topology.hosts=2")
    assert made.plan["nodes"] == 2 + 2 + 2
    assert len(made.plan["links"]) == 2 + 2 * 4
    ends = [(flow["sender"], flow["receiver"]) for flow in made.plan["flows"]]
    assert ends == [(2, 0), (3, 1), (2, 0), (3, 1), (2, 0), (1, 3)]
    assert made.facts.link_names[2:] == (
        "client 1 -> r2",
        "r2 -> client 1",
        "client 2 -> r2",
        "r2 -> client 2",
        "server 1 -> r1",
        "r1 -> server 1",
        "server 2 -> r1",
        "r1 -> server 2",
    )


def test_hosts_are_there_whether_flows_use_them_or_not():
    few = compiled(GROUPS, "topology.hosts=8")
    assert few.plan["nodes"] == 8 + 8 + 2
    assert len(few.plan["links"]) == 2 + 2 * 16
    assert [flow["receiver"] for flow in few.plan["flows"]] == [0, 1, 2, 3, 4, 13]
    # As many hosts as flows are the hosts that flows have of their own.
    assert compiled(GROUPS, "topology.hosts=6").plan == compiled(GROUPS).plan


def test_hosts_and_what_would_make_hosts_of_its_own():
    text = GROUPS + 'access = { delay = "1 ms" }\n'
    assert compiled(text).plan["nodes"] == 14
    assert refused(text, "topology.hosts=4") == [
        'scenario: flows[2].access = { delay = "1 ms" }: the flows of all groups share '
        "topology.hosts; remove one of the two"
    ]
    assert refused(DUMBBELL, "topology.hosts=4", "topology.clients_per_server=2") == [
        "--set topology.clients_per_server=2: topology.hosts sets the number of servers; "
        "remove one of the two"
    ]
    (message,) = refused(DUMBBELL, "topology.hosts=0")
    assert "must be from 1 to 2000000, for example 4" in message


def test_pauses_that_cross():
    assert refused(PAGES, "workload.pause_min=6 s") == [
        '--set workload.pause_min=6 s: pause_min = "6 s" is above pause_max = "5 s"; '
        'write pause_min = "5 s" or less'
    ]


def test_a_start_after_the_end():
    (message,) = refused(GROUPS, "flows[2].workload.start=10 s")
    assert message.startswith("--set flows[2].workload.start=10 s: is not before the end")


def test_the_core_fetches_pages_and_files_both_ways():
    made = load(WEB).points()[1].compile()
    assert made.facts.flow_workloads == ("http10",) * 3 + ("http11",) * 2 + ("ftp", "http11")
    transfers = _core.run(canonical_json(made.plan), 1)["transfers"]
    rows = list(zip(*(transfers[name] for name in ("flow", "stage", "bytes")), strict=True))
    assert {flow for flow, _, _ in rows} == set(range(7))
    assert {stage for flow, stage, _ in rows if flow < 3} == {0, 1}
    # Two objects after the first one; four on one connection; whole files.
    assert sum(stage for flow, stage, _ in rows if flow < 3) == 2 * sum(
        stage == 0 for flow, stage, _ in rows if flow < 3
    )
    assert {size for flow, _, size in rows if flow in (3, 4)} == {48_000}
    assert {size for flow, _, size in rows if flow == 5} == {200_000}
    assert all(4000 <= size <= 80_000 for flow, _, size in rows if flow == 6)


def test_explain_says_it_in_words():
    def words(*sets):
        return workload_text(load(PAGES, sets).workload)

    assert words() == (
        "http10: pages of 1 object, then 3 at once, each on a connection of its own, "
        "sizes of mah_http (median 2112 B, mean 7407 B), pause 1 s to 5 s, requests of 80 B"
    )
    assert words("workload.kind=http11", "workload.sizes=1 kB", "workload.pause_max=1 s") == (
        "http11: pages of 4 objects on one connection, each 1 kB, pause 1 s, requests of 80 B"
    )
    sets = ("workload.inline_objects=0", "workload.answers_with_ack=false")
    assert words(*sets, "workload.sizes_interpolation=none") == (
        "http10: pages of 1 object, sizes of mah_http (median 2112 B, mean 10337 B), "
        "pause 1 s to 5 s, requests of 80 B acknowledged separately"
    )
    assert words("workload.kind=ftp", "workload.start=1 s", "workload.start_spread=2 s") == (
        "ftp: files of 1 MB, back to back, requests of 80 B, the first at 1 s to 3 s"
    )


def test_explain_counts_the_flows_of_shared_hosts():
    scenario = load(GROUPS, ["topology.hosts=4"]).points()[0].scenario
    rows = {row.name: row.flows for row in link_rows(scenario)}
    assert rows == {
        "r1 -> r2 and 1 more": "6",
        "client 1 -> r2 and 7 more": "2",
        "client 3 -> r2 and 7 more": "1",
    }
