//! What an ATM component reports.

use base::Time;
use sim::link::{DropCause, LinkEvent, Report, Watch};
use sim::packet::Packet;

/// Events inside an ATM component other than those of packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AtmEvent {
    /// The first cell of a frame found this many cells in the buffer.
    FrameDecided {
        /// Cells queued before it.
        queued: u32,
        /// Whether the policy admitted it.
        admitted: bool,
    },
    /// Why the packet of the next [`LinkEvent::Dropped`] was lost.
    FrameDropped(FrameDrop),
    /// A cell begins to leave a NIC of an ATM network.
    CellSent {
        /// Number of the VC on which it travels.
        vc: u32,
        /// Whether it is data, and no RM cell.
        data: bool,
    },
    /// A cell was queued at a switch port of an ATM network.
    CellsQueued {
        /// Number of the line that begins at the port.
        port: u32,
        /// Cells queued now in all categories; the one being sent is among them.
        queued: u32,
    },
    /// The ACR of a VC's source has changed.
    Acr {
        /// Number of the VC.
        vc: u32,
        /// Allowed cell rate, cells/s.
        acr: f64,
    },
}

/// Why the packet of a frame was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameDrop {
    /// The frame policy refused the frame.
    Refused,
    /// Cells of the frame found the buffer full.
    Cut,
    /// The frame did not conform to its VC's contract.
    Nonconforming,
}

/// Reports that a packet was lost, and why.
pub(crate) fn report_drop<P>(
    at: Time,
    packet: &Packet<P>,
    cause: FrameDrop,
    watch: &mut impl Watch<P, AtmEvent>,
) {
    watch.tell(at, Report::Component(AtmEvent::FrameDropped(cause)));
    watch.tell(at, Report::Link(LinkEvent::Dropped(packet, DropCause::Component)));
}
