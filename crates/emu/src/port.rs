//! A device: a packet socket on one end of a veth pair, or TUN.
//!
//! The launcher has opened it, bound it and set its options; this file reads and writes it. Packet sockets stamp
//! received packets (SO_TIMESTAMPNS), and take and give several packets in one system call. TUN does neither: its packets
//! count as arriving when they are read.

use crate::frames::{Buffer, ETHERNET, Frame};
use crate::{Ethernet, headers, setup};
use base::Time;
use nix::errno::Errno;
use nix::sys::socket::{ControlMessageOwned, MsgFlags, MultiHeaders, recvmmsg, sendmmsg};
use rustix::net::{SendFlags, send};
use std::io::{IoSlice, IoSliceMut};
use std::os::fd::{AsRawFd, OwnedFd};
use std::rc::Rc;

const IPV4: [u8; 2] = [0x08, 0x00];
const NS_PER_S: i64 = 1_000_000_000;
/// Packets that are read or written in one system call.
const BATCH: usize = 16;

/// A device.
pub(crate) struct Port {
    device: Rc<OwnedFd>,
    ethernet: Option<Ethernet>,
    /// What the next packets are read into.
    incoming: Vec<Buffer>,
    received: MultiHeaders<()>,
    sent: MultiHeaders<()>,
    /// Packets that leave at the next [`Port::flush`], and when they were to leave.
    pub(crate) leaving: Vec<(Time, Frame)>,
}

/// The result of reading a packet.
#[derive(Clone, Copy)]
pub(crate) enum Received {
    /// Perhaps an IPv4 packet, and its arrival by the kernel's stamp, ns.
    Packet(Option<i64>),
    /// Something else.
    Other,
    /// A packet that does not fit into the buffer.
    TooLong,
    /// An error of the device.
    Unreadable,
}

impl Port {
    pub(crate) fn new(device: OwnedFd, setup: &setup::Port, packet_bytes: usize) -> Self {
        // Each packet has exactly one stamp, so what one batch leaves of the room is enough for the next.
        let stamp = nix::cmsg_space!(rustix::time::Timespec);
        Self {
            device: Rc::new(device),
            ethernet: setup.ethernet,
            incoming: std::iter::repeat_with(|| Buffer::new(packet_bytes)).take(BATCH).collect(),
            received: MultiHeaders::preallocate(BATCH, Some(stamp)),
            sent: MultiHeaders::preallocate(BATCH, None),
            leaving: Vec::with_capacity(BATCH),
        }
    }

    /// The device itself, to wait for.
    pub(crate) fn device(&self) -> Rc<OwnedFd> {
        Rc::clone(&self.device)
    }

    /// Reads a few packets. [`Port::read_into`] has each.
    pub(crate) fn receive(&mut self) -> Vec<Received> {
        if self.ethernet.is_some() { self.receive_batch() } else { self.receive_bare() }
    }

    /// The buffer into which the n-th packet was read; the caller may exchange it for another.
    pub(crate) fn read_into(&mut self, place: usize) -> &mut Buffer {
        &mut self.incoming[place]
    }

    fn receive_batch(&mut self) -> Vec<Received> {
        let mut lengths = Vec::with_capacity(BATCH);
        let mut rooms: Vec<_> =
            self.incoming.iter_mut().map(|buffer| [IoSliceMut::new(buffer.room())]).collect();
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_TRUNC;
        match recvmmsg(self.device.as_raw_fd(), &mut self.received, rooms.iter_mut(), flags, None) {
            Ok(messages) => lengths.extend(messages.map(|each| (each.bytes, stamp(each.cmsgs())))),
            Err(Errno::EAGAIN | Errno::EINTR) => {}
            Err(_) => return vec![Received::Unreadable],
        }
        let read = |((bytes, stamp), buffer): ((usize, _), &mut Buffer)| {
            if bytes > buffer.room().len() {
                Received::TooLong
            } else if bytes < ETHERNET || buffer.ethernet()[12..] != IPV4 {
                Received::Other
            } else {
                buffer.holds(bytes - ETHERNET);
                Received::Packet(stamp)
            }
        };
        lengths.into_iter().zip(&mut self.incoming).map(read).collect()
    }

    /// From a device without Ethernet headers.
    fn receive_bare(&mut self) -> Vec<Received> {
        let mut results = Vec::with_capacity(BATCH);
        for buffer in &mut self.incoming {
            let room = &mut buffer.room()[ETHERNET..];
            let longest = room.len();
            results.push(match rustix::io::read(&*self.device, room) {
                // A packet that was cut to the buffer cannot be distinguished from one that just fits.
                Ok(bytes) if bytes == longest => Received::TooLong,
                Ok(bytes) if bytes > 0 => {
                    buffer.holds(bytes);
                    Received::Packet(None)
                }
                Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => break,
                Ok(_) | Err(_) => {
                    results.push(Received::Unreadable);
                    break;
                }
            });
        }
        results
    }

    /// Addresses a packet that will leave here.
    pub(crate) fn address(&self, buffer: &mut Buffer) {
        if let Some(Ethernet { own, host }) = self.ethernet {
            let header = buffer.ethernet();
            header[..6].copy_from_slice(&host);
            header[6..12].copy_from_slice(&own);
            header[12..].copy_from_slice(&IPV4);
        }
    }

    /// Sends what is to leave; returns whether the device has accepted each.
    pub(crate) fn flush(&mut self, mut told: impl FnMut(Time, &Frame, bool)) {
        let leaving = std::mem::take(&mut self.leaving);
        let marked: Vec<_> = leaving.iter().map(|(_, frame)| marked(frame)).collect();
        let bytes: Vec<_> = leaving
            .iter()
            .zip(&marked)
            .map(|((_, frame), marked)| marked.as_deref().unwrap_or(frame.buffer.frame()))
            .collect();
        let mut at = 0;
        while at < leaving.len() {
            let sent = self.send_some(&bytes[at..]);
            for (time, frame) in &leaving[at..at + sent] {
                told(*time, frame, true);
            }
            at += sent;
            if sent == 0 {
                told(leaving[at].0, &leaving[at].1, false);
                at += 1;
            }
        }
        self.leaving = leaving;
        self.leaving.clear();
    }

    /// Sends some of these packets, the first ones; returns how many the device has accepted.
    fn send_some(&mut self, packets: &[&[u8]]) -> usize {
        if self.ethernet.is_none() {
            return usize::from(rustix::io::write(&*self.device, &packets[0][ETHERNET..]).is_ok());
        }
        if let [packet] = packets {
            return usize::from(send(&*self.device, packet, SendFlags::DONTWAIT).is_ok());
        }
        let parts: Vec<_> = packets.iter().take(BATCH).map(|packet| [IoSlice::new(packet)]).collect();
        let addresses = vec![None; parts.len()];
        let flags = MsgFlags::MSG_DONTWAIT;
        sendmmsg(self.device.as_raw_fd(), &mut self.sent, &parts, addresses, [], flags)
            .map_or(0, Iterator::count)
    }
}

/// The bytes of a packet that the network has marked.
fn marked(frame: &Frame) -> Option<Vec<u8>> {
    frame.marked.then(|| {
        let mut bytes = frame.buffer.frame().to_vec();
        headers::mark(&mut bytes[ETHERNET..]);
        bytes
    })
}

/// The kernel's stamp among the control messages, ns.
fn stamp(messages: nix::Result<nix::sys::socket::CmsgIterator<'_>>) -> Option<i64> {
    messages.ok()?.find_map(|message| match message {
        ControlMessageOwned::ScmTimestampns(stamp) => Some(stamp.tv_sec() * NS_PER_S + stamp.tv_nsec()),
        _ => None,
    })
}
