//! What the applications on both ends do: write, read, close.

use crate::stack::Stack;
use base::Time;

/// When an application closes its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closes {
    /// As soon as everything is written: the FIN may go out with the last data.
    WithTheData,
    /// When everything that it has written is acknowledged: the FIN goes out by itself.
    AfterLastAck,
    /// When everything is written, and the peer has closed.
    AfterPeer,
}

/// How an application reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    /// Everything, at once.
    AtOnce,
    /// So many bytes at most, each time that this has passed, from `from` on.
    Slowly { from: Time, period: Time, bytes: u64 },
}

/// A plan for one end.
#[derive(Clone, Debug)]
pub(crate) struct Application {
    /// When it opens the connection; none: it waits for its peer to do so.
    pub(crate) opens: Option<Time>,
    /// What it writes, and when, in the order of time.
    pub(crate) writes: Vec<(Time, u64)>,
    pub(crate) reads: Reads,
    pub(crate) closes: Closes,
}

impl Application {
    /// Bytes that it writes in all.
    pub(crate) fn bytes(&self) -> u64 {
        self.writes.iter().map(|write| write.1).sum()
    }
}

/// An application at work.
#[derive(Clone, Debug)]
pub(crate) struct AtWork {
    plan: Application,
    /// Writes whose time has come.
    begun: usize,
    /// Bytes that it wants to write now and for which there was no room.
    waiting: u64,
    next_read: Time,
    closed: bool,
}

impl AtWork {
    pub(crate) fn new(plan: Application) -> Self {
        let next_read = match plan.reads {
            Reads::AtOnce => Time::NEVER,
            Reads::Slowly { from, .. } => from,
        };
        Self { plan, begun: 0, waiting: 0, next_read, closed: false }
    }

    pub(crate) fn plan(&self) -> &Application {
        &self.plan
    }

    /// Whether it has closed its direction.
    pub(crate) fn has_closed(&self) -> bool {
        self.closed
    }

    /// When it wants to act by itself.
    pub(crate) fn next(&self) -> Time {
        let write = self.plan.writes.get(self.begun).map_or(Time::NEVER, |write| write.0);
        write.min(self.next_read)
    }

    /// Does what it can do at `now`.
    pub(crate) fn act(&mut self, now: Time, stack: &mut Stack) {
        self.read(now, stack);
        while let Some(write) = self.plan.writes.get(self.begun).filter(|write| write.0 <= now) {
            self.waiting += write.1;
            self.begun += 1;
        }
        self.waiting -= stack.write(self.waiting);
        let all_written = self.begun == self.plan.writes.len() && self.waiting == 0;
        let may_close = match self.plan.closes {
            Closes::WithTheData => stack.is_open(),
            Closes::AfterLastAck => stack.is_open() && stack.unacknowledged() == 0,
            Closes::AfterPeer => stack.peer_closed(),
        };
        if all_written && may_close && !self.closed {
            self.closed = true;
            stack.close();
        }
    }

    fn read(&mut self, now: Time, stack: &mut Stack) {
        match self.plan.reads {
            Reads::AtOnce => stack.read(u64::MAX),
            Reads::Slowly { period, bytes, .. } => {
                while self.next_read <= now {
                    stack.read(bytes);
                    self.next_read += period;
                }
                // Nothing more will come. smoltcp forgets what was not read when its TIME-WAIT ends.
                if stack.peer_closed() {
                    stack.read(u64::MAX);
                    self.next_read = Time::NEVER;
                }
            }
        }
    }
}
