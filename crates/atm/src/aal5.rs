//! AAL5 framing of IP packets over LLC/SNAP.
//!
//! Source: RFC 2684 (LLC/SNAP, 8 bytes) and ITU-T I.363.5 (trailer of 8 bytes, padding to whole
//! cells). Nothing is done differently.

use super::CELL_PAYLOAD_BYTES;

/// LLC/SNAP header, bytes.
pub const LLC_SNAP_BYTES: u32 = 8;
/// AAL5 trailer, bytes.
pub const TRAILER_BYTES: u32 = 8;

/// Cells that an IP packet of `packet_bytes` occupies.
#[must_use]
pub const fn cells(packet_bytes: u32) -> u32 {
    (packet_bytes + LLC_SNAP_BYTES + TRAILER_BYTES).div_ceil(CELL_PAYLOAD_BYTES)
}

#[cfg(test)]
mod tests {
    use super::cells;

    /// The sizes that the OSU studies state: MSS 512, 1024, 9180, a pure ACK, a 128-byte request.
    #[test]
    fn frames_of_the_studies() {
        let of_data = |bytes: u32| cells(bytes + 40);
        assert_eq!([512, 1024, 9180, 0, 128].map(of_data), [12, 23, 193, 2, 4]);
    }

    #[test]
    fn a_cell_more_begins_at_the_right_byte() {
        assert_eq!((cells(80), cells(81)), (2, 3));
    }
}
