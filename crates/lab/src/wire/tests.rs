//! What holds for every segment, and some byte by byte.

use super::*;
use etherparse::TcpHeader;
use proptest::prelude::*;
use tcp::{AccEcn, Timestamps};

fn endpoints(source_isn: u32, destination_isn: u32) -> Endpoints {
    let endpoint = |address, port, isn| Endpoint { address, port, isn };
    Endpoints {
        source: endpoint(Ipv4Addr::new(192, 0, 2, 1), 40_000, source_isn),
        destination: endpoint(Ipv4Addr::new(198, 51, 100, 1), 80, destination_isn),
        dscp: 0,
    }
}

/// Near 2^32, where numbers wrap, as often as anywhere else.
fn isn() -> impl Strategy<Value = u32> {
    prop_oneof![any::<u32>(), (0u32..100_000).prop_map(|below| u32::MAX - below)]
}

fn near(number: u64) -> impl Strategy<Value = u64> {
    (number.saturating_sub(1 << 30)..=number + (1 << 30)).no_shrink()
}

prop_compose! {
    fn numbers()(seq in 0u64..1 << 40, ack in 0u64..1 << 40)
        (seq in Just(seq), ack in Just(ack), seq_near in near(seq), ack_near in near(ack),
         blocks in prop::collection::vec((near(ack), near(ack)), 0..=4)) ->
            (u64, u64, Near, Vec<(u64, u64)>)
    {
        (seq, ack, Near { seq: seq_near, ack: ack_near }, blocks)
    }
}

prop_compose! {
    /// Any segment, but no more SACK blocks than have room, and blocks only beside an ACK.
    fn segment()(
        (seq, ack, near, mut blocks) in numbers(),
        len in prop_oneof![Just(0u32), 1u32..2000, Just(MAX_PACKET_BYTES - 80)],
        [has_ack, syn, fin, rst, psh, ae, ece, cwr, sack_permitted] in any::<[bool; 9]>(),
        accecn in prop::option::of((any::<bool>(), prop::collection::vec(0u64..1 << 24, 0..=3))),
        ecn in prop_oneof![Just(Ecn::NotEct), Just(Ecn::Ect0), Just(Ecn::Ect1), Just(Ecn::Ce)],
        window in any::<u16>(),
        window_scale in any::<Option<u8>>(),
        mss in any::<Option<u16>>(),
        timestamps in any::<Option<(u32, u32)>>(),
    ) -> (Segment, Near) {
        let words = usize::from(mss.is_some()) + usize::from(sack_permitted && timestamps.is_none())
            + usize::from(window_scale.is_some()) + 3 * usize::from(timestamps.is_some());
        let accecn = accecn.map(|(ect1_first, counters)| Box::new(AccEcn::new(ect1_first, &counters)));
        let words = words + accecn.as_ref().map_or(0, |accecn| accecn.bytes().div_ceil(4) as usize);
        blocks.truncate(if has_ack { 9usize.saturating_sub(words) / 2 } else { 0 });
        let segment = Segment {
            seq, len, ack: has_ack.then_some(ack), syn, fin, rst, psh, ae, ece, cwr, ecn, window,
            window_scale, mss, sack_permitted, sack: blocks.into_iter().collect(),
            timestamps: timestamps.map(|(value, echo)| Timestamps { value, echo }), accecn,
        };
        (segment, near)
    }
}

/// Each one of a packet with data and options: what a parser leaves out is easily forgotten.
#[test]
fn every_changed_bit_is_found() {
    let endpoints = endpoints(0, 0);
    let segment = Segment {
        len: 5,
        ack: Some(1),
        timestamps: Some(Timestamps { value: 1, echo: 2 }),
        ..Segment::default()
    };
    let packet = encode(&segment, &endpoints);
    for bit in 0..8 * packet.len() {
        let mut changed = packet.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert_ne!(decode(&changed, &endpoints, Near::default()), Ok(segment.clone()), "bit {bit}");
    }
}

proptest! {
    #[test]
    fn what_was_encoded_is_decoded((segment, near) in segment(), isns in (isn(), isn())) {
        let endpoints = endpoints(isns.0, isns.1);
        let packet = encode(&segment, &endpoints);
        prop_assert_eq!(packet.len(), segment.packet_bytes() as usize);
        prop_assert_eq!(decode(&packet, &endpoints, near), Ok(segment));
    }

    #[test]
    fn a_changed_byte_is_found((segment, near) in segment(), at in any::<prop::sample::Index>(), by in 1u8..) {
        let endpoints = endpoints(0, 0);
        let mut packet = encode(&segment, &endpoints);
        let at = at.index(packet.len());
        packet[at] ^= by;
        prop_assert_ne!(decode(&packet, &endpoints, near), Ok(segment));
    }

    #[test]
    fn any_bytes_are_a_segment_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        let _ = decode(&bytes, &endpoints(0, 0), Near::default());
    }

    /// Behind right headers and a right checksum, where chance would not lead.
    #[test]
    fn any_options_are_read_or_refused(options in prop::collection::vec(any::<u8>(), 0..=40)) {
        let _ = decode(&with_raw_options(&options), &endpoints(0, 0), Near::default());
    }
}

fn with_raw_options(options: &[u8]) -> Vec<u8> {
    let Endpoints { source, destination, .. } = endpoints(0, 0);
    let mut tcp = TcpHeader::new(source.port, destination.port, 1, 1000);
    tcp.set_options_raw(options).expect("at most 40 bytes");
    let (from, to) = (source.address.octets(), destination.address.octets());
    let mut ip = Ipv4Header::new(tcp.header_len_u16(), 1, IpNumber::TCP, from, to).expect("short");
    ip.header_checksum = ip.calc_header_checksum();
    tcp.checksum = tcp.calc_checksum_ipv4(&ip, &[]).expect("short");
    [&ip.to_bytes()[..], &tcp.to_bytes()].concat()
}

#[test]
fn a_syn_byte_by_byte() {
    let syn = Segment {
        syn: true,
        mss: Some(1460),
        window: 65_535,
        window_scale: Some(7),
        sack_permitted: true,
        ..Segment::default()
    };
    #[rustfmt::skip]
    let expected = [
        0x45, 0, 0, 52, 0, 0, 0x40, 0, 64, 6, 0x4e, 0x8e, 192, 0, 2, 1, 198, 51, 100, 1,
        0x9c, 0x40, 0, 80, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0x80, 0x02, 0xff, 0xff, 0xe6, 0x4a, 0, 0,
        2, 4, 0x05, 0xb4, 1, 1, 4, 2, 1, 3, 3, 7,
    ];
    assert_eq!(encode(&syn, &endpoints(u32::MAX, 0)), expected);
}

#[test]
fn blocks_without_room_are_left_out() {
    let sack = [(10, 20), (30, 40), (50, 60), (70, 80)].into_iter().collect();
    let timestamps = Some(Timestamps { value: 1, echo: 2 });
    let segment = Segment { ack: Some(5), sack, timestamps, ..Segment::default() };
    let endpoints = endpoints(7, 8);
    let packet = encode(&segment, &endpoints);
    assert_eq!(packet.len(), 80);
    let decoded = decode(&packet, &endpoints, Near::default()).expect("a segment");
    assert_eq!(decoded.sack.as_slice(), [(10, 20), (30, 40), (50, 60)]);
}

#[test]
fn unknown_options_are_skipped() {
    let fast_open_then_mss = [34, 4, 0xab, 0xcd, 2, 4, 0x05, 0xb4];
    let decode = |options: &[u8]| decode(&with_raw_options(options), &endpoints(0, 0), Near::default());
    assert_eq!(decode(&fast_open_then_mss).map(|segment| segment.mss), Ok(Some(1460)));
    assert!(matches!(decode(&[34, 9, 1, 1]), Err(Error::Option(_))), "longer than the header");
    assert!(matches!(decode(&[34, 1, 1, 1]), Err(Error::Option(_))), "shorter than itself");
}

/// RFC 9768, section 3.2.3, figure 4, byte by byte, with the kinds of both orders.
#[test]
fn accecn_byte_by_byte() {
    let options = |accecn| {
        let segment = Segment { ack: Some(1), accecn: Some(Box::new(accecn)), ..Segment::default() };
        encode(&segment, &endpoints(0, 0))[40..].to_vec()
    };
    let all = AccEcn::new(true, &[0x01_02_03, 0x04_05_06, 0x07_08_09]);
    assert_eq!(options(all), [1, 174, 11, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(options(AccEcn::new(false, &[0x01_02_03])), [1, 1, 1, 172, 5, 1, 2, 3]);
    let decode = |options: &[u8]| decode(&with_raw_options(options), &endpoints(0, 0), Near::default());
    let longer = [172, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 99];
    let expected = AccEcn::new(false, &[0x01_02_03, 0x04_05_06, 0x07_08_09]);
    assert_eq!(decode(&longer).map(|segment| segment.accecn), Ok(Some(Box::new(expected))));
    let cut = [174, 4, 1, 2];
    assert_eq!(decode(&cut).map(|segment| segment.accecn), Ok(Some(Box::new(AccEcn::new(true, &[])))));
}

/// What fits without NOPs alone, is not cut.
#[test]
fn options_that_fit_without_nops_stand_without() {
    let sack = [(10, 20), (30, 40)].into_iter().collect();
    let timestamps = Some(Timestamps { value: 1, echo: 2 });
    let accecn = Some(Box::new(AccEcn::new(true, &[1, 2, 3])));
    let segment = Segment { ack: Some(5), sack, timestamps, accecn, ..Segment::default() };
    let endpoints = endpoints(7, 8);
    assert_eq!(decode(&encode(&segment, &endpoints), &endpoints, Near::default()), Ok(segment));
}

/// The bit that RFC 3540 called NS.
#[test]
fn accurate_ecn_is_the_lowest_bit_of_its_byte() {
    let byte = |ae| encode(&Segment { ae, ..Segment::default() }, &endpoints(0, 0))[32];
    assert_eq!((byte(false), byte(true)), (0x50, 0x51));
}

#[test]
fn says_what_is_wrong() {
    let endpoints = endpoints(1, 2);
    let segment = Segment { seq: 1, len: 10, ack: Some(1), ..Segment::default() };
    let packet = encode(&segment, &endpoints);
    let decode = |packet: &[u8]| decode(packet, &endpoints, Near::default());
    let changed = |at: usize| {
        let mut packet = packet.clone();
        packet[at] ^= 0x10;
        packet
    };
    assert!(matches!(decode(&packet[..49]), Err(Error::Short(_))));
    assert!(matches!(decode(&changed(0)), Err(Error::Header(_))));
    assert!(matches!(decode(&changed(8)), Err(Error::HeaderChecksum(..))));
    assert!(matches!(decode(&changed(49)), Err(Error::Checksum(..))));
    let answer = encode(&segment, &endpoints.reversed());
    assert!(matches!(decode(&answer), Err(Error::Stranger(..))));
}

#[test]
fn data_of_another_position_is_found() {
    let segment = Segment { seq: 1, len: 10, ..Segment::default() };
    let sent_as_if_later = Endpoint { isn: 0u32.wrapping_sub(1000), ..endpoints(0, 0).source };
    let sender = Endpoints { source: sent_as_if_later, ..endpoints(0, 0) };
    let packet = encode(&Segment { seq: 1001, ..segment.clone() }, &sender);
    assert_eq!(decode(&packet, &endpoints(0, 0), Near::default()), Err(Error::Content(0)));
    let (decoded, data) =
        decode_any_content(&packet, &endpoints(0, 0), Near::default()).expect("headers are right");
    assert_eq!((decoded, data[0]), (segment, content(1000)));
}
