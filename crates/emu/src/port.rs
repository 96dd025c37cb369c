//! A device: a packet socket on one end of a veth pair, or TUN.
//!
//! The launcher has opened it, bound it and set its options; this file reads and writes it. Packet sockets stamp
//! received packets (SO_TIMESTAMPNS). TUN has no stamps, so its packets count as arriving when they are read.

use crate::frames::{Buffer, ETHERNET, Frame};
use crate::{Ethernet, headers, setup};
use nix::errno::Errno;
use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg};
use rustix::net::{SendFlags, send};
use std::io::IoSliceMut;
use std::os::fd::{AsRawFd, OwnedFd};
use std::rc::Rc;

const IPV4: [u8; 2] = [0x08, 0x00];
/// Room for the control messages of a packet: one with a stamp.
const CONTROL_BYTES: usize = 128;
const NS_PER_S: i64 = 1_000_000_000;

/// A device.
pub(crate) struct Port {
    device: Rc<OwnedFd>,
    ethernet: Option<Ethernet>,
    control: [u8; CONTROL_BYTES],
    /// For a packet that has to be changed.
    scratch: Vec<u8>,
}

/// The result of reading a device.
pub(crate) enum Received {
    /// Nothing more now.
    Nothing,
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
        let scratch = Vec::with_capacity(ETHERNET + packet_bytes);
        Self { device: Rc::new(device), ethernet: setup.ethernet, control: [0; CONTROL_BYTES], scratch }
    }

    /// The device itself, to wait for.
    pub(crate) fn device(&self) -> Rc<OwnedFd> {
        Rc::clone(&self.device)
    }

    /// Reads the next packet into a buffer. The caller finds its length.
    pub(crate) fn receive(&mut self, buffer: &mut Buffer) -> Received {
        if self.ethernet.is_none() {
            return self.receive_bare(buffer);
        }
        let room = buffer.room();
        let longest = room.len();
        let mut parts = [IoSliceMut::new(room)];
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_TRUNC;
        let (bytes, stamp) =
            match recvmsg::<()>(self.device.as_raw_fd(), &mut parts, Some(&mut self.control), flags) {
                Ok(message) => (message.bytes, stamp(message.cmsgs())),
                Err(Errno::EAGAIN | Errno::EINTR) => return Received::Nothing,
                Err(_) => return Received::Unreadable,
            };
        if bytes > longest {
            Received::TooLong
        } else if bytes < ETHERNET || buffer.ethernet()[12..] != IPV4 {
            Received::Other
        } else {
            buffer.holds(bytes - ETHERNET);
            Received::Packet(stamp)
        }
    }

    /// From a device without Ethernet headers.
    fn receive_bare(&self, buffer: &mut Buffer) -> Received {
        let room = &mut buffer.room()[ETHERNET..];
        let longest = room.len();
        match rustix::io::read(&*self.device, room) {
            Ok(0) => Received::Unreadable,
            // A packet that was cut to the buffer cannot be distinguished from one that just fits.
            Ok(bytes) if bytes == longest => Received::TooLong,
            Ok(bytes) => {
                buffer.holds(bytes);
                Received::Packet(None)
            }
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Received::Nothing,
            Err(_) => Received::Unreadable,
        }
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

    /// Sends a packet that was addressed; returns whether the device accepted it.
    pub(crate) fn send(&mut self, frame: &Frame) -> bool {
        let bytes = frame.buffer.frame();
        if !frame.marked {
            return self.write(bytes);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend_from_slice(bytes);
        headers::mark(&mut scratch[ETHERNET..]);
        let taken = self.write(&scratch);
        self.scratch = scratch;
        taken
    }

    fn write(&self, frame: &[u8]) -> bool {
        if self.ethernet.is_some() {
            send(&*self.device, frame, SendFlags::DONTWAIT).is_ok()
        } else {
            rustix::io::write(&*self.device, &frame[ETHERNET..]).is_ok()
        }
    }
}

/// The kernel's stamp among the control messages, ns.
fn stamp(messages: nix::Result<nix::sys::socket::CmsgIterator<'_>>) -> Option<i64> {
    messages.ok()?.find_map(|message| match message {
        ControlMessageOwned::ScmTimestampns(stamp) => Some(stamp.tv_sec() * NS_PER_S + stamp.tv_nsec()),
        _ => None,
    })
}
