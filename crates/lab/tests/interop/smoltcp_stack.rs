//! smoltcp's TCP in virtual time: an interface, one socket, and a device whose packets are our
//! segments.
//!
//! smoltcp's clock counts microseconds. It gets the last whole microsecond that has passed and
//! is woken at the times that it requests. So its timers are never early, and are late only by the time between
//! the last whole microsecond and the event that set them.

use crate::codec::Codec;
use base::Time;
use lab::wire::content;
use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::socket::tcp::{CongestionControl, Socket, SocketBuffer, State as Its};
use smoltcp::time::{Duration, Instant};
use smoltcp::wire::{HardwareAddress, IpCidr};
use std::collections::VecDeque;
use tcp::{Segment, State};

const US: u64 = 1_000_000;
/// How soon it is polled again if it requests a poll at once but sends nothing.
const SPIN: Time = Time::from_ms(1);

/// The parameters of a smoltcp endpoint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmoltcpConfig {
    /// Largest segment that it sends and offers to take, bytes.
    pub(crate) mss: u32,
    /// Bytes.
    pub(crate) receive_buffer: usize,
    /// Bytes.
    pub(crate) send_buffer: usize,
    /// How long an ACK may wait for a second segment; none: not at all.
    pub(crate) delayed_ack: Option<Time>,
    pub(crate) nagle: bool,
    /// Its initial sequence number, and the one that its peer is given on the wire.
    pub(crate) isn: u32,
    pub(crate) peer_isn: u32,
}

/// A smoltcp endpoint.
pub(crate) struct Smoltcp {
    codec: Codec,
    interface: Interface,
    device: Packets,
    sockets: SocketSet<'static>,
    handle: SocketHandle,
    next_timer: Time,
    /// Whether the application has done something since it was last polled.
    touched: bool,
    /// Segments that have left it and that the network has not taken yet.
    out: VecDeque<Segment>,
    written: u64,
    read: u64,
    state: State,
    peer_closed: bool,
}

impl Smoltcp {
    pub(crate) fn new(config: &SmoltcpConfig) -> Self {
        let codec = Codec::new(config.isn, config.peer_isn);
        let mut device = Packets { mtu: config.mss as usize + 40, ..Packets::default() };
        let mut setting = Config::new(HardwareAddress::Ip);
        setting.random_seed = seed_of(config.isn);
        let mut interface = Interface::new(setting, &mut device, Instant::ZERO);
        interface.update_ip_addrs(|addresses| {
            addresses.push(IpCidr::new(codec.own().0.into(), 24)).expect("there is room for one address");
        });
        let buffer = |bytes| SocketBuffer::new(vec![0; bytes]);
        let mut socket = Socket::new(buffer(config.receive_buffer), buffer(config.send_buffer));
        socket.set_congestion_control(CongestionControl::Reno);
        socket.set_nagle_enabled(config.nagle);
        socket.set_ack_delay(config.delayed_ack.map(|delay| Duration::from_micros(delay.as_ps() / US)));
        let mut sockets = SocketSet::new(Vec::new());
        let handle = sockets.add(socket);
        Self {
            codec,
            interface,
            device,
            sockets,
            handle,
            next_timer: Time::NEVER,
            touched: false,
            out: VecDeque::new(),
            written: 0,
            read: 0,
            state: State::Closed,
            peer_closed: false,
        }
    }

    pub(crate) fn listen(&mut self) {
        let own = self.codec.own();
        self.socket().listen(own).expect("a new socket can listen");
        self.note_state();
    }

    pub(crate) fn connect(&mut self, now: Time) {
        let (own, peer) = (self.codec.own(), self.codec.peer());
        let socket = self.sockets.get_mut::<Socket<'_>>(self.handle);
        socket.connect(self.interface.context(), peer, own).expect("a new socket can connect");
        self.run(now);
    }

    pub(crate) fn on_segment(&mut self, now: Time, segment: &Segment) {
        self.device.arrived.push_back(self.codec.encode(segment));
        self.run(now);
    }

    /// Lets it handle what has arrived, what has run out and what the application did.
    pub(crate) fn run(&mut self, now: Time) {
        self.touched = false;
        let at = Instant::from_micros((now.as_ps() / US) as i64);
        self.interface.poll(at, &mut self.device, &mut self.sockets);
        for bytes in self.device.left.drain(..) {
            self.out.push_back(self.codec.decode(&bytes));
        }
        self.next_timer = match self.interface.poll_at(at, &self.sockets) {
            None => Time::NEVER,
            Some(then) if then <= at => now + SPIN,
            Some(then) => Time::from_us(then.total_micros() as u64),
        };
        self.note_state();
    }

    pub(crate) fn poll(&mut self, now: Time) -> Option<Segment> {
        if self.touched {
            self.run(now);
        }
        self.out.pop_front()
    }

    pub(crate) fn next_timer(&self) -> Time {
        self.next_timer
    }

    pub(crate) fn write(&mut self, bytes: u64) -> u64 {
        let mut done = 0;
        while done < bytes && self.socket().can_send() {
            let position = self.written;
            let wanted = (bytes - done) as usize;
            let fill = |buffer: &mut [u8]| {
                let room = buffer.len().min(wanted);
                for (byte, at) in buffer[..room].iter_mut().zip(position..) {
                    *byte = content(at);
                }
                (room, room)
            };
            let taken = self.socket().send(fill).expect("it can send") as u64;
            self.touched = true;
            self.written += taken;
            done += taken;
        }
        done
    }

    pub(crate) fn close(&mut self) {
        self.socket().close();
        self.touched = true;
        self.note_state();
    }

    /// Reads, and looks at every byte.
    pub(crate) fn read(&mut self, bytes: u64) {
        let end = self.read.saturating_add(bytes);
        while self.read < end && self.socket().can_recv() {
            let position = self.read;
            let wanted = usize::try_from(end - position).unwrap_or(usize::MAX);
            let look = |buffer: &mut [u8]| {
                let taken = buffer.len().min(wanted);
                let wrong = buffer[..taken].iter().zip(position..).find(|(byte, at)| **byte != content(*at));
                (taken, (taken, wrong.map(|wrong| wrong.1)))
            };
            let (taken, wrong) = self.socket().recv(look).expect("it can receive");
            assert!(wrong.is_none(), "smoltcp delivered a wrong byte at {}", wrong.unwrap_or_default());
            self.touched = true;
            self.read += taken as u64;
        }
    }

    pub(crate) fn readable(&self) -> u64 {
        self.sockets.get::<Socket<'_>>(self.handle).recv_queue() as u64
    }

    pub(crate) fn delivered(&self) -> u64 {
        self.read + self.readable()
    }

    pub(crate) fn unacknowledged(&self) -> u64 {
        self.sockets.get::<Socket<'_>>(self.handle).send_queue() as u64
    }

    pub(crate) fn state(&self) -> State {
        self.state
    }

    pub(crate) fn peer_closed(&self) -> bool {
        self.peer_closed
    }

    /// Whether data or a FIN of its is not acknowledged, and it has no timer for it.
    pub(crate) fn gave_up(&self) -> bool {
        let fin_out = matches!(self.state, State::FinWait1 | State::Closing | State::LastAck);
        (fin_out || self.unacknowledged() > 0) && self.next_timer == Time::NEVER
    }

    fn socket(&mut self) -> &mut Socket<'static> {
        self.sockets.get_mut(self.handle)
    }

    fn note_state(&mut self) {
        self.state = named(self.socket().state());
        use State::{CloseWait, Closing, LastAck, TimeWait};
        self.peer_closed |= matches!(self.state, CloseWait | Closing | LastAck | TimeWait);
    }
}

fn named(state: Its) -> State {
    match state {
        Its::Closed => State::Closed,
        Its::Listen => State::Listen,
        Its::SynSent => State::SynSent,
        Its::SynReceived => State::SynReceived,
        Its::Established => State::Established,
        Its::FinWait1 => State::FinWait1,
        Its::FinWait2 => State::FinWait2,
        Its::CloseWait => State::CloseWait,
        Its::Closing => State::Closing,
        Its::LastAck => State::LastAck,
        Its::TimeWait => State::TimeWait,
    }
}

/// The seed with which smoltcp's generator gives `isn`. The generator is `s * M + A` modulo 2^64,
/// run backwards here; an interface draws once before its socket does. A drawn state below 2^61
/// is shifted by 29, so its bits 29 to 60 are the number drawn.
fn seed_of(isn: u32) -> u64 {
    const M: u64 = 0xbb2e_fcec_3c39_611d;
    const A: u64 = 0x7590_ef39;
    // Newton's iteration: each step doubles the number of right bits, of which M itself has 3.
    let inverse = (0..5).fold(M, |x, _| x.wrapping_mul(2_u64.wrapping_sub(M.wrapping_mul(x))));
    let before = |state: u64| state.wrapping_sub(A).wrapping_mul(inverse);
    // The low bits are free; an interface that draws a zero draws again, so that is avoided.
    let seeds = (0..1_u64 << 29).map(|low| before(u64::from(isn) << 29 | low));
    let first_draw = |state: u64| {
        let drawn = (state >> (29 - (state >> 61))) as u32;
        (drawn ^ drawn >> 16) as u16
    };
    before(seeds.into_iter().find(|&state| first_draw(state) != 0).expect("not all draws are zero"))
}

/// A device: packets that have arrived for smoltcp, and packets that have left it.
#[derive(Default)]
struct Packets {
    mtu: usize,
    arrived: VecDeque<Vec<u8>>,
    left: Vec<Vec<u8>>,
}

struct Arrived(Vec<u8>);
struct Leaving<'a>(&'a mut Vec<Vec<u8>>);

impl Device for Packets {
    type RxToken<'a> = Arrived;
    type TxToken<'a> = Leaving<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Arrived, Leaving<'_>)> {
        let packet = self.arrived.pop_front()?;
        Some((Arrived(packet), Leaving(&mut self.left)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Leaving<'_>> {
        Some(Leaving(&mut self.left))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ip;
        capabilities.max_transmission_unit = self.mtu;
        capabilities
    }
}

impl RxToken for Arrived {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, f: F) -> R {
        f(&self.0)
    }
}

impl TxToken for Leaving<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, f: F) -> R {
        let mut packet = vec![0; len];
        let result = f(&mut packet);
        self.0.push(packet);
        result
    }
}
