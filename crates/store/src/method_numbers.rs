//! Sets of methods as stored bytes: the methods' numbers in order, each as its distance from the
//! one before, seven bits to a byte. A test that runs a hundred methods takes little more than a
//! hundred bytes.

pub fn encode(mut numbers: Vec<u32>) -> Vec<u8> {
    numbers.sort_unstable();
    numbers.dedup();
    let mut bytes = Vec::with_capacity(numbers.len() + 8);
    let mut last = 0;
    for number in numbers {
        let mut distance = number - last;
        last = number;
        while distance >= 0x80 {
            bytes.push(distance as u8 | 0x80);
            distance >>= 7;
        }
        bytes.push(distance as u8);
    }
    bytes
}

/// None for bytes that `encode` cannot have written.
pub fn decode(bytes: &[u8]) -> Option<Vec<u32>> {
    let mut numbers = Vec::with_capacity(bytes.len());
    let (mut last, mut distance, mut shift) = (0_u32, 0_u32, 0);
    for byte in bytes {
        let bits = u32::from(byte & 0x7f);
        distance |= bits
            .checked_shl(shift)
            .filter(|part| part >> shift == bits)?;
        shift += 7;
        if byte & 0x80 == 0 {
            last = last.checked_add(distance)?;
            numbers.push(last);
            (distance, shift) = (0, 0);
        }
    }
    (shift == 0).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_comes_back_in_order_and_without_repetitions() {
        let set = vec![300, 0, 7, 7, u32::MAX, 128];
        assert_eq!(decode(&encode(set)), Some(vec![0, 7, 128, 300, u32::MAX]));
        assert_eq!(decode(&encode(vec![])), Some(vec![]));
    }

    #[test]
    fn bytes_that_are_no_set_are_refused() {
        assert_eq!(decode(&[0x80]), None);
        assert_eq!(decode(&[0xff, 0xff, 0xff, 0xff, 0x7f]), None);
        assert_eq!(decode(&[0xff, 0xff, 0xff, 0xff, 0x0f, 1]), None);
        assert_eq!(decode(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]), None);
    }
}
