use crate::application::{Application, Closes, Reads};
use crate::golden::{Fates, assert_has_line, config, data, lost, traced};
use base::Time;
use sim::link::Fate;
use tcp::Flavor;

fn late(numbers: std::ops::RangeInclusive<u64>, by: Time) -> Vec<(u64, Fate)> {
    numbers.map(|number| (number, Fate::Delay(by))).collect()
}

fn happenings() -> Vec<(&'static str, Fates)> {
    let counts = data as fn(&_) -> bool;
    let ms = Time::from_ms;
    let again = (counts, [vec![(12, Fate::Lose), (26, Fate::Lose)]].concat());
    let reordered = [late(6..=6, ms(4)), late(12..=12, ms(20)), late(24..=24, ms(60))].concat();
    vec![
        ("tail_of_1", lost(data, 33..=33)),
        ("tail_of_2", lost(data, 32..=33)),
        ("tail_of_5", lost(data, 29..=33)),
        ("reordering", (counts, reordered)),
        ("lost_retransmission", again),
        ("spurious_timeout", (counts, late(12..=23, ms(1200)))),
    ]
}

fn trace(fates: &Fates) -> String {
    let flavor = Flavor::named("cubic").expect("a flavor");
    let writes = vec![(Time::ZERO, 32_000)];
    let (opens, closes) = (Some(Time::ZERO), Closes::AfterLastAck);
    let sender = Application { opens, writes, reads: Reads::AtOnce, closes };
    let receiver =
        Application { opens: None, writes: vec![], reads: Reads::AtOnce, closes: Closes::AfterPeer };
    traced([config(flavor, 40_000), config(flavor, 40_000)], [sender, receiver], fates)
}

#[test]
fn golden_traces_of_rack() {
    for (name, fates) in happenings() {
        insta::assert_snapshot!(format!("rack_{name}"), trace(&fates));
    }
}
