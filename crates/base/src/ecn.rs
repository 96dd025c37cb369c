/// The ECN field of the IP header (RFC 3168, section 5; RFC 9331 for L4S).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ecn {
    /// The sender does not do ECN.
    #[default]
    NotEct,
    /// ECN-capable, codepoint 1.
    Ect1,
    /// ECN-capable, codepoint 0.
    Ect0,
    /// Congestion was experienced.
    Ce,
}
