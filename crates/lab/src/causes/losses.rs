//! Why a packet was lost.

use atm::FrameDrop;
use sim::link::DropCause;

/// Why a packet was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossCause {
    /// The queue discipline had no room for it.
    QueueFull,
    /// The queue discipline had room, and dropped it to signal congestion.
    QueueEarly,
    /// An impairment lost it: the one of this number on its link, if known.
    Impairment(Option<usize>),
    /// Its ATM frame was dropped.
    Frame(FrameDrop),
}

impl LossCause {
    /// From what a link says of a packet, and what it has said before: which impairment did something last, and why
    /// a frame was dropped last.
    #[must_use]
    pub fn new(cause: DropCause, impairment: Option<usize>, frame_drop: Option<FrameDrop>) -> Self {
        match cause {
            DropCause::QueueFull => Self::QueueFull,
            DropCause::QueueEarly => Self::QueueEarly,
            DropCause::Impairment => Self::Impairment(impairment),
            DropCause::Component => {
                Self::Frame(frame_drop.expect("a component reports why it drops a packet"))
            }
        }
    }

    /// In a few words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::QueueFull => "queue full",
            Self::QueueEarly => "early drop",
            Self::Impairment(_) => "on the wire",
            Self::Frame(FrameDrop::Refused) => "frame refused",
            Self::Frame(FrameDrop::Cut) => "frame cut",
            Self::Frame(FrameDrop::Nonconforming) => "frame did not conform",
        }
    }
}
