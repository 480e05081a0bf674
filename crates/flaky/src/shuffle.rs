//! Orders by a seed: the same on every machine and in every version, since people note seeds down.

/// The numbers below `count` in the order that the seed gives them in this round.
pub fn shuffled(count: usize, seed: u64, round: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut state = mix(seed ^ mix(round));
    for last in (1..count).rev() {
        state = state.wrapping_add(STEP);
        // What the remainder prefers is far too little to be seen with any number of classes.
        let place = mix(state) % (last as u64 + 1);
        order.swap(last, place as usize);
    }
    order
}

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The last step of SplitMix64.
fn mix(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_orders_and_rounds_differ() {
        assert_eq!(shuffled(20, 7, 3), shuffled(20, 7, 3));
        assert_ne!(shuffled(20, 7, 3), shuffled(20, 7, 4));
        assert_ne!(shuffled(20, 7, 3), shuffled(20, 8, 3));
    }

    #[test]
    fn an_order_has_everything_once() {
        for count in 0..9 {
            let mut order = shuffled(count, 1, 0);
            order.sort();
            assert_eq!(order, (0..count).collect::<Vec<_>>());
        }
    }

    /// Noted seeds would be worth nothing otherwise.
    #[test]
    fn orders_stay_what_they_were() {
        assert_eq!(shuffled(6, 1, 0), ORDER_OF_SEED_1);
    }

    const ORDER_OF_SEED_1: [usize; 6] = [2, 1, 4, 3, 5, 0];
}
