//! Choices out of bytes. When the bytes are used up, every choice is the first one.

use arbitrary::Unstructured;

pub struct Bytes<'a>(Unstructured<'a>);

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(Unstructured::new(bytes))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        self.0.arbitrary().unwrap_or(0)
    }

    pub fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub fn u16(&mut self) -> u16 {
        self.0.arbitrary().unwrap_or(0)
    }

    pub fn u32(&mut self) -> u32 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0.int_in_range(0..=n - 1).unwrap_or(0)
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::from(self.byte()) % of.len()]
    }

    /// True for `n` of 256 bytes, never when they are used up.
    pub fn chance(&mut self, n: u8) -> bool {
        self.byte() > u8::MAX - n
    }

    /// What is left.
    pub fn rest(self) -> &'a [u8] {
        self.0.take_rest()
    }
}
