use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

#[test]
fn equal_times_come_in_the_order_of_insertion() {
    let mut queue = EventQueue::new();
    for event in [2, 0, 1] {
        queue.insert(Time::from_secs(1), event);
    }
    let order: Vec<_> = std::iter::from_fn(|| queue.pop_until(Time::NEVER)).map(|e| e.1).collect();
    assert_eq!(order, [2, 0, 1]);
}

#[test]
fn no_event_is_removed_before_its_time() {
    let mut queue = EventQueue::new();
    queue.insert(Time::from_secs(2), ());
    assert_eq!(queue.pop_until(Time::from_secs(1)), None);
    assert_eq!(queue.next_time(), Some(Time::from_secs(2)));
}

/// A hundred events, each scheduled again after up to a hundred steps of a second or of a nanosecond.
#[test]
fn the_width_of_slots_follows_the_events() {
    let run = |step: Time, events: u32| {
        let mut queue = EventQueue::new();
        (0..100).for_each(|number| queue.insert(Time::ZERO, number));
        for _ in 0..events {
            let (key, number) = queue.pop_until(Time::NEVER).expect("a hundred events");
            queue.insert(key.time + step * (1 + number), number);
        }
        queue.shift
    };
    // The narrow ones need more, because the first slot ends after 33,000 of them.
    let (wide, narrow) = (run(Time::from_secs(1), 10_000), run(Time::from_ps(1000), 200_000));
    assert!(wide > INITIAL_SHIFT && narrow < INITIAL_SHIFT, "{wide} {narrow}");
}

/// A hundred events close together, each scheduled again after 60 ms. Slots narrow enough for a few of them would make
/// the wheel too short for all.
#[test]
fn the_width_does_not_oscillate() {
    let mut queue = EventQueue::new();
    (0..100).for_each(|number| queue.insert(Time::from_ps(1000 * number), number));
    let mut shifts = vec![queue.shift];
    for _ in 0..1_000_000 {
        let (key, number) = queue.pop_until(Time::NEVER).expect("a hundred events");
        queue.insert(key.time + Time::from_ms(60), number);
        shifts.push(queue.shift);
    }
    shifts.dedup();
    assert_eq!(shifts, [INITIAL_SHIFT, INITIAL_SHIFT - 1, INITIAL_SHIFT - 2]);
}

/// Seven events in one slot and two in a later one.
#[test]
fn the_current_slot_is_in_order_and_the_next_one_complete() {
    let mut queue = EventQueue::new();
    (0..7).for_each(|number| queue.insert(Time::from_ms(1) + Time::from_ps(6 - number), number));
    (7..9).for_each(|number| queue.insert(Time::from_ms(2), number));
    let next = |queue: &EventQueue<u64>| {
        let mut events: Vec<u64> = queue.in_next_slot().copied().collect();
        events.sort_unstable();
        events
    };
    assert_eq!(next(&queue), [0, 1, 2, 3, 4, 5, 6]);
    assert!(queue.is_slot_over() && queue.begin_slot(Time::from_ms(1)));
    assert_eq!(queue.in_current_slot().copied().collect::<Vec<_>>(), [6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(next(&queue), [7, 8]);
    (0..7).for_each(|_| assert!(queue.pop_until(Time::from_ms(2)).is_some()));
    assert!(queue.is_slot_over() && !queue.begin_slot(Time::from_ms(1)));
}

proptest! {
    /// A sorted map with the same events gives the same order: with ties, in all parts of the queue, and with pauses
    /// in which it runs empty.
    #[test]
    fn agrees_with_a_sorted_map(
        steps in prop::collection::vec((0u32..46, 0u64..64, 0u8..4), 1..400),
        rounds in 1usize..40,
    ) {
        let mut queue = EventQueue::new();
        let mut plain: BTreeMap<EventKey, usize> = BTreeMap::new();
        let (mut now, mut inserted) = (Time::ZERO, 0);
        for (number, (shift, times, pops)) in std::iter::repeat_n(&steps, rounds).flatten().enumerate() {
            let (time, until) = (now + Time::from_ps(times << shift), now + Time::from_ps(1 << shift));
            inserted += 1;
            queue.insert(time, number);
            plain.insert(EventKey { time, order: inserted }, number);
            if number % 16 == 0 {
                let mut soon: Vec<_> = queue.before(until).map(|(_, event)| *event).collect();
                soon.sort_unstable();
                let mut known: Vec<_> = plain.iter().filter(|due| due.0.time < until).map(|due| *due.1).collect();
                known.sort_unstable();
                prop_assert_eq!(soon, known);
            }
            for _ in 0..*pops {
                let due = plain.first_key_value().map(|(key, event)| (*key, *event));
                prop_assert_eq!(queue.next_time(), due.map(|due| due.0.time));
                let due = due.filter(|due| due.0.time <= until);
                prop_assert_eq!(queue.pop_until(until), due);
                if let Some((key, _)) = due {
                    plain.remove(&key);
                    now = key.time;
                }
            }
        }
        let left: Vec<usize> = std::iter::from_fn(|| queue.pop_until(Time::NEVER)).map(|due| due.1).collect();
        prop_assert_eq!(left, plain.into_values().collect::<Vec<_>>());
    }
}
