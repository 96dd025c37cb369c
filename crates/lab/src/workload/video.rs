//! Adaptive video over one connection: a player that chooses the bit rate of each chunk.
//!
//! Source, buffer-based: Huang et al. 2014, "A buffer-based approach to rate adaptation" (BBA-0, section 5.1): a map
//! from the buffer to the rate, and the rate changes only when the map passes the next rung of the ladder. Rate-based:
//! Jiang et al. 2012, "FESTIVE" (section 4.3), the harmonic mean of the last chunks' throughputs, a part of which the
//! next chunk may use. The player asks for one chunk at a time, and pauses when a further chunk would not fit into its
//! buffer. It plays once it has `start_up` of video, at the beginning and after each stall.
//!
//! Deviation: chunks have exactly their nominal size. The segments of the simulator carry no content, so a request for
//! rung r is r bytes longer than one for rung 0: from its length the server knows what is wanted.
//!
//! | parameter | unit |
//! |---|---|
//! | ladder of bit rates, rising | bit/s |
//! | chunk; largest buffer; video that is needed to play | time of video |
//! | reservoir and cushion of the map; or how many chunks are averaged, and the part that is used | time of video; ppm |
//! | request | bytes |
//! | start | time |

use super::{Response, Step, View, Workload};
use base::Time;
use std::sync::Arc;

const PS_PER_S: u128 = 1_000_000_000_000;
const PPM: u64 = 1_000_000;

/// The video, and how it is fetched.
#[derive(Clone, Debug)]
pub struct Video {
    /// Bit rates, rising, bit/s.
    pub ladder: Arc<[u64]>,
    /// How much video a chunk is.
    pub chunk: Time,
    /// How much video the player holds at most.
    pub most: Time,
    /// With so much the player begins to play.
    pub start_up: Time,
    /// How the next rung is chosen.
    pub adaptation: Adaptation,
    /// Of a request for the lowest rung.
    pub request_bytes: u64,
}

/// How a player chooses the rung of the next chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adaptation {
    /// By what it holds: the lowest rung up to the reservoir, the highest from reservoir and cushion on.
    Buffer {
        /// Kept for times without data.
        reservoir: Time,
        /// From the lowest to the highest rung.
        cushion: Time,
    },
    /// By the throughput of the last chunks.
    Rate {
        /// How many.
        chunks: usize,
        /// Which part of their harmonic mean a chunk may use.
        used_ppm: u64,
    },
}

impl Video {
    /// Size of a chunk of a rung, bytes.
    fn bytes(&self, rung: usize) -> u64 {
        let bits = u128::from(self.ladder[rung]) * u128::from(self.chunk.as_ps()) / PS_PER_S;
        ((bits / 8) as u64).max(1)
    }

    /// The highest rung of at most this rate, or the lowest.
    fn at_most(&self, rate: u64) -> usize {
        self.ladder.partition_point(|&each| each <= rate).saturating_sub(1)
    }
}

/// What a player holds, and whether it plays.
#[derive(Clone, Copy, Debug)]
struct Buffer {
    held: Time,
    at: Time,
    plays: bool,
}

impl Buffer {
    /// Plays until `now`, or until nothing is left.
    fn advance(&mut self, now: Time) {
        let passed = now - self.at;
        self.at = now;
        if self.plays && passed < self.held {
            self.held = self.held - passed;
        } else if self.plays {
            self.held = Time::ZERO;
            self.plays = false;
        }
    }
}

/// The player.
pub struct Client {
    video: Video,
    starts_at: Time,
    buffer: Buffer,
    rung: usize,
    /// When it asks for the next chunk; [`Time::NEVER`] while one is on its way.
    next_at: Time,
    chunks: Vec<Response>,
    /// Where in the stream the last chunk ends.
    ends_at: u64,
    is_open: bool,
}

impl Client {
    /// A player that opens its connection at `starts_at`.
    #[must_use]
    pub fn new(video: Video, starts_at: Time) -> Self {
        Self {
            video,
            starts_at,
            buffer: Buffer { held: Time::ZERO, at: starts_at, plays: false },
            rung: 0,
            next_at: starts_at,
            chunks: Vec::new(),
            ends_at: 0,
            is_open: false,
        }
    }

    /// The rung of the next chunk.
    fn choose(&self) -> usize {
        match self.video.adaptation {
            Adaptation::Buffer { reservoir, cushion } => self.by_buffer(reservoir, cushion),
            Adaptation::Rate { chunks, used_ppm } => self.by_rate(chunks, used_ppm),
        }
    }

    fn by_buffer(&self, reservoir: Time, cushion: Time) -> usize {
        let (ladder, top) = (&self.video.ladder, self.video.ladder.len() - 1);
        let (held, reservoir, cushion) = (self.buffer.held.as_ps(), reservoir.as_ps(), cushion.as_ps());
        if held <= reservoir {
            return 0;
        }
        if held >= reservoir + cushion {
            return top;
        }
        let range = u128::from(ladder[top] - ladder[0]);
        let mapped = ladder[0] + (range * u128::from(held - reservoir) / u128::from(cushion)) as u64;
        if mapped >= ladder[(self.rung + 1).min(top)] {
            ladder.partition_point(|&each| each < mapped).saturating_sub(1).max(self.rung)
        } else if mapped <= ladder[self.rung.saturating_sub(1)] {
            ladder.partition_point(|&each| each <= mapped).min(self.rung)
        } else {
            self.rung
        }
    }

    fn by_rate(&self, chunks: usize, used_ppm: u64) -> usize {
        let last = &self.chunks[self.chunks.len().saturating_sub(chunks)..];
        // Of equal weights for chunks, the harmonic mean of their rates is the number over the sum of time per bit.
        let ps_per_bit = last.iter().filter_map(|chunk| {
            let took = chunk.completed? - chunk.requested;
            Some(took.as_ps() as f64 / (chunk.bytes as f64 * 8.0))
        });
        let (count, sum) = ps_per_bit.fold((0u32, 0.0), |(count, sum), each| (count + 1, sum + each));
        if count == 0 {
            return 0;
        }
        let rate = f64::from(count) / sum * PS_PER_S as f64 * used_ppm as f64 / PPM as f64;
        self.video.at_most(rate as u64)
    }

    /// A chunk has arrived.
    fn take(&mut self, now: Time) {
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.completed = Some(now);
        }
        self.buffer.advance(now);
        self.buffer.held += self.video.chunk;
        self.buffer.plays |= self.buffer.held >= self.video.start_up;
        let after = self.buffer.held + self.video.chunk;
        let too_much = if after > self.video.most { after - self.video.most } else { Time::ZERO };
        self.next_at = now + too_much;
    }

    fn ask(&mut self, now: Time) -> Step {
        self.buffer.advance(now);
        self.rung = self.choose();
        let bytes = self.video.bytes(self.rung);
        let (batch, request) = (self.chunks.len() as u64, self.rung as u32);
        self.chunks.push(Response {
            batch,
            request,
            bytes,
            requested: now,
            completed: None,
            counts_from_start: true,
        });
        self.ends_at += bytes;
        self.next_at = Time::NEVER;
        Step::Write(0, self.video.request_bytes + u64::from(request))
    }
}

impl Workload for Client {
    fn starts_at(&self) -> Option<Time> {
        Some(self.starts_at)
    }

    fn next(&mut self, now: Time, view: View) -> Step {
        if !self.is_open {
            self.is_open = true;
            return Step::Open(0);
        }
        let waits = self.chunks.last().is_some_and(|chunk| chunk.completed.is_none());
        if waits && view.delivered >= self.ends_at {
            self.take(now);
        }
        if now >= self.next_at { self.ask(now) } else { Step::WaitUntil(self.next_at) }
    }

    fn responses(&self) -> &[Response] {
        &self.chunks
    }
}

/// The server.
pub struct Server {
    video: Video,
    /// Bytes of the requests that it has answered.
    answered: u64,
}

impl Server {
    /// A server of this video.
    #[must_use]
    pub fn new(video: Video) -> Self {
        Self { video, answered: 0 }
    }
}

impl Workload for Server {
    fn next(&mut self, _: Time, view: View) -> Step {
        let Some(rung) = (view.delivered - self.answered).checked_sub(self.video.request_bytes) else {
            return Step::WaitUntil(Time::NEVER);
        };
        self.answered = view.delivered;
        Step::Write(0, self.video.bytes((rung as usize).min(self.video.ladder.len() - 1)))
    }

    fn piggybacks_acks(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn video(adaptation: Adaptation) -> Video {
        Video {
            ladder: Arc::new([1_000_000, 2_000_000, 3_000_000, 4_000_000]),
            chunk: Time::from_secs(4),
            most: Time::from_secs(20),
            start_up: Time::from_secs(4),
            adaptation,
            request_bytes: 300,
        }
    }

    const BUFFER: Adaptation =
        Adaptation::Buffer { reservoir: Time::from_secs(4), cushion: Time::from_secs(12) };

    /// Lets chunks arrive so many seconds after their requests; the times of the requests, s, and their rungs.
    fn play(adaptation: Adaptation, seconds: &[u64]) -> Vec<(u64, u32)> {
        let mut client = Client::new(video(adaptation), Time::ZERO);
        let (mut now, mut delivered) = (Time::ZERO, 0);
        let mut server = Server::new(video(adaptation));
        let mut asked = 0;
        client.next(now, View::default());
        for &each in seconds {
            let request = loop {
                match client.next(now, View { delivered, ..View::default() }) {
                    Step::Write(0, bytes) => break bytes,
                    Step::WaitUntil(time) => now = time,
                    other => panic!("{other:?}"),
                }
            };
            asked += request;
            let Step::Write(0, bytes) = server.next(now, View { delivered: asked, ..View::default() }) else {
                panic!("the server answers")
            };
            delivered += bytes;
            now += Time::from_secs(each);
        }
        client
            .responses()
            .iter()
            .map(|chunk| (chunk.requested.as_ps() / PS_PER_S as u64, chunk.request))
            .collect()
    }

    #[test]
    fn the_buffer_decides() {
        // Each chunk takes a second, so the buffer grows by three; the map is at the lowest rung up to 4 s, and
        // reaches the highest at 16 s. At 20 s the player pauses.
        let asked = play(BUFFER, &[1; 8]);
        assert_eq!(asked[..6], [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2), (5, 3)]);
        let gaps: Vec<u64> = asked.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
        assert_eq!(gaps[..5], [1; 5]);
        assert!(gaps[5..].iter().all(|&gap| gap == 4), "{gaps:?}");
    }

    #[test]
    fn the_rate_decides() {
        let by_rate = Adaptation::Rate { chunks: 2, used_ppm: 900_000 };
        // 1 Mbit/s for 4 s in 1 s is 4 Mbit/s, of which 3.6 are used; then slower.
        let asked = play(by_rate, &[1, 2, 8, 8, 1]);
        let rungs: Vec<u32> = asked.iter().map(|each| each.1).collect();
        assert_eq!(rungs, [0, 2, 3, 1, 0]);
    }

    #[test]
    fn a_player_stalls_and_starts_again() {
        let mut buffer = Buffer { held: Time::from_secs(4), at: Time::ZERO, plays: true };
        buffer.advance(Time::from_secs(3));
        assert_eq!((buffer.held, buffer.plays), (Time::from_secs(1), true));
        buffer.advance(Time::from_secs(5));
        assert_eq!((buffer.held, buffer.plays), (Time::ZERO, false));
        buffer.advance(Time::from_secs(9));
        assert_eq!((buffer.held, buffer.plays), (Time::ZERO, false));
    }
}
