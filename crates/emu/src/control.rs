//! The messages between the launcher and the driver over the driver's standard input, a socket that preserves message
//! boundaries. The launcher sends the file descriptors of the ports; the driver answers "ready"; the launcher sends
//! "start NS", the time on the monotonic clock at which the run begins. Any later message, or the launcher's end, ends
//! the run.

use crate::Error;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, recv, recvmsg, send};
use std::io::IoSliceMut;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};

/// The most file descriptors that the kernel takes in a message.
const MOST_PORTS: usize = 253;
const LONGEST_MESSAGE: usize = 256;

/// Receives the file descriptors of `ports` ports.
///
/// # Errors
/// If there are not as many, or the launcher has gone.
pub(crate) fn ports(control: &impl AsFd, expected: usize) -> Result<Vec<OwnedFd>, Error> {
    let mut space = [MaybeUninit::<u8>::uninit(); rustix::cmsg_space!(ScmRights(MOST_PORTS))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut message = [0; LONGEST_MESSAGE];
    let mut parts = [IoSliceMut::new(&mut message)];
    let received = recvmsg(control, &mut parts, &mut ancillary, RecvFlags::CMSG_CLOEXEC)
        .map_err(|error| Error::System("receiving the ports", error.into()))?;
    if received.bytes == 0 {
        return Err(Error::Ended);
    }
    let mut ports = Vec::with_capacity(expected);
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            ports.extend(descriptors);
        }
    }
    if ports.len() == expected {
        Ok(ports)
    } else {
        Err(Error::Setup(format!("{expected} ports, and {} file descriptors", ports.len())))
    }
}

/// Reports that everything is prepared, and waits for the start time, ns by the monotonic clock.
///
/// # Errors
/// If the launcher sends another message, or has gone.
pub(crate) fn start(control: &impl AsFd) -> Result<i64, Error> {
    send(control, b"ready", SendFlags::NOSIGNAL)
        .map_err(|error| Error::System("reporting to the launcher", error.into()))?;
    let mut message = [0; LONGEST_MESSAGE];
    let (_, bytes) = recv(control, &mut message, RecvFlags::empty())
        .map_err(|error| Error::System("waiting for the start", error.into()))?;
    let words = std::str::from_utf8(&message[..bytes]).ok();
    let start = words.and_then(|words| words.strip_prefix("start ")?.parse().ok());
    start.ok_or(Error::Ended)
}
