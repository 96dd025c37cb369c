//! Workloads of the plan -> the applications of each flow.
//!
//! Each flow has its own random streams. `traffic/<flow>` decides the requests and sizes, `pause/<flow>` the start
//! and the pauses of a client of pages. So the objects of a page do not depend on how long the last page took.
//! `traffic/<flow>` also decides the start and the on and off periods of a source of datagrams.

use crate::plan::{self, Plan};
use crate::workload::datagrams::{Source, Turns};
use crate::workload::laws::Times;
use crate::workload::sizes::Sizes;
use crate::workload::{Workload, arrivals, bulk, pages, rpc, video, www};
use base::Time;
use rand::RngExt;
use sim::rng::Streams;

/// The applications at the two ends of a flow.
pub enum Pair {
    /// Applications on TCP: the receiver's and the sender's.
    Tcp(Box<dyn Workload>, Box<dyn Workload>),
    /// The sender's source of datagrams.
    Datagrams(Box<Source>),
}

/// The application at one end of a flow.
pub(super) enum Application {
    Tcp(Box<dyn Workload>),
    /// A source of datagrams, or their receiver.
    Datagrams(Option<Box<Source>>),
}

impl Pair {
    /// The receiver's and the sender's.
    pub(super) fn ends(self) -> (Application, Application) {
        match self {
            Self::Tcp(takes, gives) => (Application::Tcp(takes), Application::Tcp(gives)),
            Self::Datagrams(source) => (Application::Datagrams(None), Application::Datagrams(Some(source))),
        }
    }

    fn tcp(receiver: impl Workload + 'static, sender: impl Workload + 'static) -> Self {
        Self::Tcp(Box::new(receiver), Box::new(sender))
    }
}

/// Makes the applications of the flows of a plan.
pub(super) struct Applications<'a> {
    plan: &'a Plan,
    streams: &'a Streams,
    /// For each workload, the number of its flows, and how many of them have their applications already.
    flows: Vec<(usize, usize)>,
    /// The law of sizes of each workload.
    sizes: Vec<Option<Sizes>>,
}

impl<'a> Applications<'a> {
    pub(super) fn new(plan: &'a Plan, streams: &'a Streams) -> Self {
        let mut flows = vec![(0, 0); plan.workloads.len()];
        plan.flows.iter().for_each(|group| flows[group.workload].0 += group.count as usize);
        let sizes = plan.workloads.iter().map(|workload| match workload {
            plan::Workload::Pages { sizes, .. }
            | plan::Workload::Arrivals { sizes, .. }
            | plan::Workload::Rpc { sizes, .. } => Some(Sizes::new(sizes)),
            _ => None,
        });
        Self { plan, streams, flows, sizes: sizes.collect() }
    }

    /// The items of a list of sizes that belong to the listed arrivals of a flow; another law as it is.
    fn sizes_in_turn(&self, workload: usize, (of, all): (usize, usize)) -> Sizes {
        match &self.plan.workloads[workload] {
            plan::Workload::Arrivals { sizes: plan::Sizes::InTurn { bytes }, .. } => {
                let bytes: Vec<u64> = bytes.iter().skip(of).step_by(all).copied().collect();
                if bytes.is_empty() {
                    Sizes::Fixed(1)
                } else {
                    Sizes::InTurn { bytes: bytes.into(), next: 0 }
                }
            }
            _ => self.sizes[workload].clone().expect("arrivals have sizes"),
        }
    }

    /// The applications of each flow, by number. Call it once.
    pub(super) fn of_flows(&mut self) -> impl Iterator<Item = Pair> {
        let plan = self.plan;
        (0..).zip(plan.each_flow()).map(|(number, flow)| self.of(number, &flow))
    }

    /// The applications of the flow with this number. Call it in the order of the flows.
    fn of(&mut self, number: u32, flow: &plan::Flow) -> Pair {
        let (all, had) = &mut self.flows[flow.workload];
        let turn = (*had, *all);
        *had += 1;
        let sizes = self.sizes[flow.workload].as_ref().map(|sizes| sizes.share(turn.0, turn.1));
        let mut traffic = self.streams.named(&format!("traffic/{number}"));
        match &self.plan.workloads[flow.workload] {
            &plan::Workload::Bulk { bytes, start_ps, start_spread_ps } => {
                let starts_at = Time::from_ps(start_ps + below(&mut traffic, start_spread_ps));
                Pair::tcp(bulk::Sink::new(bytes), bulk::Source::new(bytes, starts_at))
            }
            &plan::Workload::WwwBatches {
                request_bytes,
                period_ps,
                period_from,
                start_spread_ps,
                requests,
                gap_min_ps,
                gap_max_ps,
                file_index,
                class_ppm,
                first_is_class_0,
                first_alone,
            } => {
                let request_bytes = u64::from(request_bytes);
                let model = www::WwwBatches {
                    request_bytes,
                    period: Time::from_ps(period_ps),
                    period_from,
                    pace: if first_alone { www::Pace::FirstAlone } else { www::Pace::Open },
                    start_spread: Time::from_ps(start_spread_ps),
                    requests,
                    gap: (Time::from_ps(gap_min_ps), Time::from_ps(gap_max_ps)),
                    file_index,
                    class_ppm,
                    first_is_class_0,
                };
                let made = model.requests(&mut traffic, Time::from_ps(self.plan.duration_ps));
                let server = www::Server::new(request_bytes, &made);
                Pair::tcp(www::Client::new(&model, made), server)
            }
            plan::Workload::Pages {
                request_bytes,
                stages,
                pause,
                answers_with_ack,
                start_ps,
                start_spread_ps,
                ..
            } => {
                let pages = pages::Pages {
                    request_bytes: u64::from(*request_bytes),
                    stages: stages.as_slice().into(),
                    pause: Times::new(pause),
                    answers_with_ack: *answers_with_ack,
                };
                let mut pauses = self.streams.named(&format!("pause/{number}"));
                let starts_at = Time::from_ps(start_ps + below(&mut pauses, *start_spread_ps));
                let server = pages::Server::new(pages.clone(), sizes.expect("pages have sizes"), traffic);
                Pair::tcp(pages::Client::new(pages, starts_at, pauses), server)
            }
            plan::Workload::Arrivals { arrivals, request_bytes, answers_with_ack, start_ps, .. } => {
                let (request_bytes, start) = (u64::from(*request_bytes), Time::from_ps(*start_ps));
                let sizes = sizes.expect("arrivals have sizes");
                let (sizes, arrivals) = match arrivals {
                    plan::Arrivals::Random { gap } => {
                        let pauses = self.streams.named(&format!("pause/{number}"));
                        (sizes, arrivals::Arrivals::Random(Times::new(gap), Box::new(pauses)))
                    }
                    plan::Arrivals::Listed { at_ps } => {
                        let own = at_ps.iter().skip(turn.0).step_by(turn.1);
                        let times: Vec<Time> = own.map(|&ps| start + Time::from_ps(ps)).collect();
                        (
                            self.sizes_in_turn(flow.workload, turn),
                            arrivals::Arrivals::Listed(times.into_iter()),
                        )
                    }
                };
                let pages = pages::Pages::single(request_bytes, *answers_with_ack);
                let client = arrivals::Client::new(request_bytes, *answers_with_ack, start, arrivals);
                Pair::tcp(client, pages::Server::new(pages, sizes, traffic))
            }
            plan::Workload::Rpc { request_bytes, think, closed_loop, start_ps, start_spread_ps, .. } => {
                let mut pauses = self.streams.named(&format!("pause/{number}"));
                let starts_at = Time::from_ps(start_ps + below(&mut pauses, *start_spread_ps));
                let responses = rpc::Sequence { sizes: sizes.expect("calls have sizes"), rng: traffic };
                let server = rpc::Server::new(u64::from(*request_bytes), responses.clone());
                let think = (Times::new(think), pauses);
                Pair::tcp(
                    rpc::Client::new(u64::from(*request_bytes), responses, think, *closed_loop, starts_at),
                    server,
                )
            }
            plan::Workload::Video { start_ps, start_spread_ps, .. } => {
                let starts_at = Time::from_ps(start_ps + below(&mut traffic, *start_spread_ps));
                let video = video(&self.plan.workloads[flow.workload]);
                Pair::tcp(video::Client::new(video.clone(), starts_at), video::Server::new(video))
            }
            &plan::Workload::Datagrams { rate_bps, packet_bytes, on, off, start_ps, start_spread_ps } => {
                let starts_at = Time::from_ps(start_ps + below(&mut traffic, start_spread_ps));
                let turns = on.zip(off).map(|(on, off)| Turns {
                    on: Times::new(&on),
                    off: Times::new(&off),
                    rng: traffic,
                });
                Pair::Datagrams(Box::new(Source::new(rate_bps, packet_bytes, starts_at, turns)))
            }
        }
    }
}

fn video(workload: &plan::Workload) -> video::Video {
    let plan::Workload::Video {
        ladder_bps, chunk_ps, most_ps, start_up_ps, adaptation, request_bytes, ..
    } = workload
    else {
        unreachable!("only video is asked for")
    };
    let adaptation = match *adaptation {
        plan::Adaptation::Buffer { reservoir_ps, cushion_ps } => video::Adaptation::Buffer {
            reservoir: Time::from_ps(reservoir_ps),
            cushion: Time::from_ps(cushion_ps),
        },
        plan::Adaptation::Rate { chunks, used_ppm } => {
            video::Adaptation::Rate { chunks: chunks as usize, used_ppm: u64::from(used_ppm) }
        }
    };
    video::Video {
        ladder: ladder_bps.as_slice().into(),
        chunk: Time::from_ps(*chunk_ps),
        most: Time::from_ps(*most_ps),
        start_up: Time::from_ps(*start_up_ps),
        adaptation,
        request_bytes: u64::from(*request_bytes),
    }
}

/// Uniform in `[0, spread)`, or 0 if that is empty.
fn below(rng: &mut impl rand::Rng, spread: u64) -> u64 {
    if spread == 0 { 0 } else { rng.random_range(0..spread) }
}
