//! Which of many queues has the most bytes. A full queue drops from it.
//!
//! Source: the tree of a tournament (Knuth, The Art of Computer Programming, volume 3, section 5.2.3), here with matches that
//! are played again only when the winner is asked for. Linux 6 looks at all queues (sch_fq_codel.c) or keeps a heap
//! (sch_cake.c).
//!
//! A leaf has the bytes of a queue, and a node above at least as many as each of the two below it. Bytes that come raise the
//! nodes above that have less. Bytes that go change only the leaf, so that nodes may have too many. The search follows the
//! larger number down from the root. If the leaf has as many bytes as the root, no queue has more. Otherwise the nodes on
//! the way are corrected, and the search begins anew. So the work at a drop grows with the logarithm of the number of
//! queues, and with the changes since the last drop, but not with the number of queues.

/// The bytes of queues, and which of them has the most.
#[derive(Debug)]
pub(super) struct Fattest {
    /// The root is 1. Below node n are 2 n and 2 n + 1; the last `leaves` are the queues.
    nodes: Vec<u64>,
    leaves: usize,
}

impl Fattest {
    /// So many empty queues.
    pub(super) fn new(queues: usize) -> Self {
        let leaves = queues.next_power_of_two();
        Self { nodes: vec![0; 2 * leaves], leaves }
    }

    /// A queue has so many bytes from now on.
    #[inline]
    pub(super) fn set(&mut self, queue: usize, bytes: u64) {
        let mut node = self.leaves + queue;
        self.nodes[node] = bytes;
        node /= 2;
        while node > 0 && self.nodes[node] < bytes {
            self.nodes[node] = bytes;
            node /= 2;
        }
    }

    /// The queue with the most bytes; the first of them.
    pub(super) fn find(&mut self) -> usize {
        loop {
            let mut node = 1;
            while node < self.leaves {
                node = 2 * node + usize::from(self.nodes[2 * node] < self.nodes[2 * node + 1]);
            }
            if self.nodes[node] == self.nodes[1] {
                return node - self.leaves;
            }
            while node > 1 {
                node /= 2;
                self.nodes[node] = self.nodes[2 * node].max(self.nodes[2 * node + 1]);
            }
        }
    }

    /// The bytes of a queue.
    pub(super) fn bytes(&self, queue: usize) -> u64 {
        self.nodes[self.leaves + queue]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The root is the only leaf.
    #[test]
    fn one_queue_is_the_fattest_of_one() {
        let mut fattest = Fattest::new(1);
        assert_eq!(fattest.find(), 0);
        fattest.set(0, 7);
        assert_eq!((fattest.find(), fattest.bytes(0)), (0, 7));
    }

    proptest! {
        /// Against a list, with few values so that many queues are alike.
        #[test]
        fn agrees_with_a_list(
            queues in 1usize..20,
            steps in prop::collection::vec((any::<prop::sample::Index>(), 0u64..6, any::<bool>()), 0..300),
        ) {
            let (mut fattest, mut plain) = (Fattest::new(queues), vec![0; queues]);
            for (queue, bytes, asks) in steps {
                let queue = queue.index(queues);
                fattest.set(queue, bytes);
                plain[queue] = bytes;
                prop_assert_eq!(fattest.bytes(queue), bytes);
                if asks {
                    let most = *plain.iter().max().unwrap();
                    prop_assert_eq!(fattest.find(), plain.iter().position(|&bytes| bytes == most).unwrap());
                }
            }
        }
    }
}
