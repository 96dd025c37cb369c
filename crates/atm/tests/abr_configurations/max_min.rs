//! Max-min fair rates by filling: all rates grow alike, and a flow stops where it meets a full link.

/// A flow: the links that it crosses, and the most that it wants.
pub(crate) struct Flow {
    pub(crate) links: Vec<usize>,
    pub(crate) limit: f64,
}

/// The rates of the flows over links of these capacities.
pub(crate) fn max_min(capacities: &[f64], flows: &[Flow]) -> Vec<f64> {
    let mut rates: Vec<Option<f64>> = vec![None; flows.len()];
    while rates.contains(&None) {
        // What each link has left for each flow on it that is not settled.
        let share = |link: usize| {
            let on_it = |flow: &&Flow| flow.links.contains(&link);
            let settled: f64 =
                flows.iter().zip(&rates).filter(|(flow, _)| on_it(flow)).filter_map(|(_, rate)| *rate).sum();
            let open = flows.iter().zip(&rates).filter(|(flow, rate)| on_it(flow) && rate.is_none()).count();
            (capacities[link] - settled) / open as f64
        };
        let open = || (0..flows.len()).filter(|&flow| rates[flow].is_none());
        let may_have =
            |flow: usize| flows[flow].links.iter().map(|&link| share(link)).fold(flows[flow].limit, f64::min);
        let level = open().map(may_have).fold(f64::INFINITY, f64::min);
        let settle: Vec<usize> = open().filter(|&flow| may_have(flow) <= level * (1.0 + 1e-12)).collect();
        for flow in settle {
            rates[flow] = Some(level);
        }
    }
    rates.into_iter().flatten().collect()
}

#[test]
fn by_hand() {
    let flow = |links: &[usize], limit| Flow { links: links.to_vec(), limit };
    let free = f64::INFINITY;
    assert_eq!(max_min(&[9.0], &[flow(&[0], free), flow(&[0], free), flow(&[0], 1.0)]), [4.0, 4.0, 1.0]);
    // Link 0 gives 2 to each of five; link 1 has 10 - 2 left for two.
    let mut flows: Vec<Flow> = (0..4).map(|_| flow(&[0], free)).collect();
    flows.extend([flow(&[0, 1], free), flow(&[1], free), flow(&[1], free)]);
    assert_eq!(max_min(&[10.0, 10.0], &flows), [2.0, 2.0, 2.0, 2.0, 2.0, 4.0, 4.0]);
}
