//! The results of a run: named columns of numbers, with units in the names.

/// The values of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole numbers.
    Integers(Vec<u64>),
    /// Real numbers.
    Reals(Vec<f64>),
    /// Words by their numbers; none where there is no word.
    Words(Vec<Option<u32>>, Words),
}

/// Memory of a value.
pub(crate) const VALUE_BYTES: usize = 8;

/// Words, each with a number: its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words(Vec<String>);

impl Words {
    /// These, each with its place as its number. They are all different.
    #[must_use]
    pub fn of(words: &[&str]) -> Self {
        Self(words.iter().map(|&word| word.to_owned()).collect())
    }

    /// The number of a word, which it now has if it did not before.
    pub fn number_of(&mut self, word: &str) -> u32 {
        let number = self.0.iter().position(|each| each == word).unwrap_or_else(|| {
            self.0.push(word.to_owned());
            self.0.len() - 1
        });
        number as u32
    }

    /// All of them, by their numbers.
    #[must_use]
    pub fn all(&self) -> &[String] {
        &self.0
    }
}

impl Values {
    /// The sum of a column of whole numbers, in 128 bits: a flow without end counts as 2**61 bytes written.
    /// None for real numbers and for words.
    #[must_use]
    pub fn sum(&self) -> Option<u128> {
        match self {
            Self::Integers(values) => Some(values.iter().copied().map(u128::from).sum()),
            Self::Reals(_) | Self::Words(..) => None,
        }
    }
}

/// One table: columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns, in the order in which they are shown.
    pub columns: Vec<(&'static str, Values)>,
}

impl Table {
    /// Appends a column of whole numbers.
    pub fn integers(&mut self, name: &'static str, values: impl IntoIterator<Item = u64>) {
        self.columns.push((name, Values::Integers(values.into_iter().collect())));
    }

    /// Appends a column of real numbers.
    pub fn reals(&mut self, name: &'static str, values: impl IntoIterator<Item = f64>) {
        self.columns.push((name, Values::Reals(values.into_iter().collect())));
    }

    /// Appends a column of words, by their numbers.
    pub fn words(
        &mut self,
        name: &'static str,
        numbers: impl IntoIterator<Item = Option<u32>>,
        words: Words,
    ) {
        self.columns.push((name, Values::Words(numbers.into_iter().collect(), words)));
    }
}

/// Everything that a run returns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// One row a flow: what was written, what arrived, how the sender fared and its largest cwnd, after the
    /// warm-up.
    pub flows: Table,
    /// One row a packet link: packets and bytes by fate, queue, after the warm-up.
    pub links: Table,
    /// One row a cell link, or a line of an ATM network that a switch port feeds: cells and frames by fate,
    /// queue, after the warm-up.
    pub ports: Table,
    /// One row a link, or a line that a switch port feeds, of which the plan asks: how long packets or cells waited
    /// there after the warm-up, mean, percentiles and longest. Empty unless requested.
    pub queue_delays: Table,
    /// The same of the data of each flow of which the plan asks: one row a flow and link. Empty unless requested.
    pub flow_queue_delays: Table,
    /// One row a flow of which the plan asks: the RTTs that its sender measured after the warm-up, mean, percentiles and
    /// longest. Empty unless requested.
    pub rtts: Table,
    /// The three as histograms: one row a bin that has some, with the largest time that belongs there, and how many did.
    /// Empty unless requested.
    pub queue_delay_bins: Table,
    /// As `queue_delay_bins`, of `flow_queue_delays`.
    pub flow_queue_delay_bins: Table,
    /// As `queue_delay_bins`, of `rtts`.
    pub rtt_bins: Table,
    /// One row a line that a switch port feeds and a category of the VCs over it (0 VBR, 1 ABR, 2 UBR and GFR): cells
    /// by fate, queue, after the warm-up.
    pub classes: Table,
    /// One row a VC of an ATM network: data and RM cells; frames by what the contract says of them at the first
    /// switch, and those that arrived whole (0 if it is neither of UBR nor of GFR); most cells waiting in the network
    /// card, mean ACR (nan if it is not of ABR), after the warm-up.
    pub vcs: Table,
    /// One row a connection of a completed page: bytes, and times. Empty if no page was completed.
    pub transfers: Table,
    /// One row a request made in batches after the warm-up: the file, and when it was requested and complete
    /// (nan if it had not). Empty if there is none.
    pub responses: Table,
    /// One row a foreground flow: data segments lost, and the loss events that they make up, after the
    /// warm-up. Empty if there is none.
    pub foreground: Table,
    /// What probes have recorded.
    pub recorded: Recorded,
}

/// The tables over time that probes record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// One row a link, or a line with a switch port, and bin: the longest queue. Empty unless requested.
    pub queue: Table,
    /// One row a flow and bin: bytes delivered. Empty unless requested.
    pub goodput: Table,
    /// One row a change: cwnd, ssthresh, `flight_size` of chosen senders. Empty unless requested.
    pub cwnd: Table,
    /// One row an ABR VC and bin: the last ACR. Empty unless requested.
    pub acr: Table,
    /// One row a sender's connection and bin in which it did something: pacing rate, delivery rate, smallest RTT (nan if it
    /// has none), data in flight, state (none if it has none). Empty unless requested.
    pub transport: Table,
    /// One row a segment, an ACK, a SACK range or a move of the receive window's end at chosen senders: when, which bytes,
    /// whether it was sent again, whether it was lost, and why it was sent. Empty unless requested.
    pub segments: Table,
    /// One row an RTT that a chosen sender measured: the RTT, and the smoothed RTT and the RTO after it. Empty unless
    /// requested.
    pub rtt: Table,
    /// One row a change: the state of chosen senders, and their time-outs and fast retransmits so far. Empty unless
    /// requested.
    pub states: Table,
    /// One row a packet that comes to a chosen link: what it is, its times there, its fate. Empty unless requested.
    pub packets: Table,
}

impl Columns {
    /// All tables by name.
    #[must_use]
    pub fn into_tables(self) -> Vec<(&'static str, Table)> {
        let totals = [
            ("flows", self.flows),
            ("links", self.links),
            ("ports", self.ports),
            ("queue_delays", self.queue_delays),
            ("flow_queue_delays", self.flow_queue_delays),
            ("rtts", self.rtts),
            ("queue_delay_bins", self.queue_delay_bins),
            ("flow_queue_delay_bins", self.flow_queue_delay_bins),
            ("rtt_bins", self.rtt_bins),
            ("classes", self.classes),
            ("vcs", self.vcs),
            ("transfers", self.transfers),
            ("responses", self.responses),
            ("foreground", self.foreground),
        ];
        totals.into_iter().chain(self.recorded.into_tables()).collect()
    }
}

impl Recorded {
    /// The tables by name.
    #[must_use]
    pub fn into_tables(self) -> [(&'static str, Table); 9] {
        [
            ("queue", self.queue),
            ("goodput", self.goodput),
            ("cwnd", self.cwnd),
            ("acr", self.acr),
            ("transport", self.transport),
            ("segments", self.segments),
            ("rtt", self.rtt),
            ("states", self.states),
            ("packets", self.packets),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_without_end_can_be_summed() {
        assert_eq!(Values::Integers(vec![1 << 61; 16]).sum(), Some(1 << 65));
        assert_eq!(Values::Reals(vec![1.0]).sum(), None);
    }
}
