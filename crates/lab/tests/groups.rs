//! A plan with groups gives the columns of the same plan written out, in every bit.

#[path = "network.rs"]
mod network;

use lab::plan::{DelayDraw, FlowGroup, InTurn, Link, Numbers, Plan};
use lab::run;
use network::{link, plan};
use proptest::prelude::*;

/// Hosts on links of their own to a router, routers joined by a bottleneck: clients are nodes from 0 on, then come the
/// servers, then both routers. `each` flows in a row share a server, or all flows share `each` hosts at both ends.
#[derive(Clone, Debug)]
struct Dumbbell {
    groups: Vec<u32>,
    each: u32,
    shared: bool,
    spread_ps: u64,
}

/// Links of hosts to a router and from it.
fn of_hosts(first: u32, count: u32, router: u32, spread_ps: u64) -> Link {
    let hosts = Numbers::from(first, count);
    let of_host = |from: Numbers, to: Numbers| {
        let mut made = link(0, 1, 20);
        if let Link::Packets { from: start, to: end, delay_draw, rate_bps, .. } = &mut made {
            (*start, *end, *rate_bps) = (from, to, 80_000_000);
            *delay_draw = (spread_ps > 0).then_some(DelayDraw { number: hosts, spread_ps });
        }
        made
    };
    Link::Group { count, links: vec![of_host(hosts, router.into()), of_host(router.into(), hosts)] }
}

impl Dumbbell {
    fn plan(&self) -> Plan {
        let flows: u32 = self.groups.iter().sum();
        let servers_of = |count: u32| if self.shared { 0 } else { count.div_ceil(self.each) };
        let (clients, servers) = if self.shared {
            (self.each, self.each)
        } else {
            (flows, self.groups.iter().map(|&count| servers_of(count)).sum())
        };
        let routers = clients + servers;
        let mut links = vec![link(routers, routers + 1, 10), link(routers + 1, routers, 10)];
        links.push(of_hosts(0, clients, routers + 1, self.spread_ps));
        links.push(of_hosts(clients, servers, routers, 0));
        let (mut begin, mut server) = (0, clients);
        let mut groups = Vec::new();
        for &count in &self.groups {
            let in_turn = |first, count, each| Numbers::InTurn(InTurn { first, count, each, begin });
            let (sender, receiver) = if self.shared {
                (in_turn(clients, self.each, 1), in_turn(0, self.each, 1))
            } else {
                let its = InTurn { first: server, count: servers_of(count), each: self.each, begin: 0 };
                (Numbers::InTurn(its), Numbers::from(begin, count))
            };
            server += servers_of(count);
            begin += count;
            let flow = plan(2, vec![], &[(0, 1)], None).flows.remove(0);
            groups.push(FlowGroup { count, sender, receiver, ..flow });
        }
        let bulk = plan(routers + 2, links, &[(0, 1)], Some(20_000));
        Plan { flows: groups, duration_ps: 2_000_000_000_000, ..bulk }
    }
}

fn written_out(plan: &Plan) -> Plan {
    let link = |placed: lab::plan::PlacedLink<'_>| {
        let mut link = placed.link.clone();
        if let Link::Packets { from, to, delay_draw, .. } = &mut link {
            (*from, *to) = (placed.number(*from).into(), placed.number(*to).into());
            if let Some(draw) = delay_draw {
                draw.number = placed.number(draw.number).into();
            }
        }
        link
    };
    let flows = plan.each_flow().map(FlowGroup::from).collect();
    Plan { links: plan.each_link().map(link).collect(), flows, ..plan.clone() }
}

prop_compose! {
    fn dumbbells()(
        groups in prop::collection::vec(1u32..8, 1..4),
        each in 1u32..4,
        shared: bool,
        spread_ps in prop_oneof![Just(0), 1_000_000u64..20_000_000_000],
    ) -> Dumbbell {
        Dumbbell { groups, each, shared, spread_ps }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn groups_give_what_their_members_give(dumbbell in dumbbells(), seed: u64) {
        let plan = dumbbell.plan();
        let out = written_out(&plan);
        prop_assert!(out.flows.len() == plan.flow_count() as usize && out.links.len() == plan.link_count() as usize);
        let (counted, written) = (run(&plan, seed).unwrap(), run(&out, seed).unwrap());
        prop_assert_eq!(format!("{counted:?}"), format!("{written:?}"));
        let read = Plan::from_json(&serde_json::to_string(&plan).unwrap()).unwrap();
        prop_assert_eq!(read, plan);
    }
}

/// Before anything of this size is made.
#[test]
fn counts_have_limits() {
    let told = |change: &dyn Fn(&mut Plan)| {
        let mut plan = Dumbbell { groups: vec![3], each: 1, shared: false, spread_ps: 0 }.plan();
        change(&mut plan);
        run(&plan, 1).expect_err("it is too much").to_string()
    };
    let flows = told(&|plan| plan.flows[0].count = u32::MAX);
    assert_eq!(flows, "plan: there must be at most 2000000 flows");
    let links = told(&|plan| {
        if let Link::Group { count, .. } = &mut plan.links[2] {
            *count = u32::MAX;
        }
    });
    assert_eq!(links, "plan: there must be at most 10000000 links");
    let node = told(&|plan| plan.flows[0].sender = Numbers::from(u32::MAX - 1, 3));
    assert_eq!(node, "plan: a flow names an unknown node");
    let turn = told(&|plan| {
        plan.flows[0].sender = Numbers::InTurn(InTurn { first: 0, count: 2, each: 0, begin: 0 });
    });
    assert_eq!(turn, "plan: a flow names an unknown node");
    let inside = told(&|plan| {
        let group = plan.links[2].clone();
        plan.links[2] = Link::Group { count: 1, links: vec![group] };
    });
    assert_eq!(inside, "plan: a group of links has links that carry packets only");
}
