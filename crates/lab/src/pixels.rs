//! Curves with no more points than a picture can show.
//!
//! Source: M4, U. Jugel et al., M4: A Visualization-Oriented Time Series Data Aggregation, VLDB 2014: of each column of
//! pixels the first, the least, the greatest and the last point. A peak of one packet survives, which a mean or every n-th
//! point would hide.

use crate::error::Error;

const OF_A_COLUMN: usize = 4;

/// The points of a curve that are to be drawn, ascending: at most four of each column of pixels, and those of the last
/// before the picture and the first after it, to which lines lead. All of these if they are few.
///
/// `x` ascends; the picture goes from `begin` to `end`, which is above it, in `columns`. None of `y` is nan.
///
/// # Errors
/// If there is not a number in `y` for each in `x`.
pub fn points_to_draw(x: &[f64], y: &[f64], begin: f64, end: f64, columns: usize) -> Result<Vec<u64>, Error> {
    if x.len() != y.len() {
        return Err(Error::Value("a curve has as many values as times"));
    }
    let first = x.partition_point(|&at| at < begin).saturating_sub(1);
    let until = (x.partition_point(|&at| at <= end) + 1).min(x.len());
    if until - first <= OF_A_COLUMN * columns {
        return Ok((first as u64..until as u64).collect());
    }
    let scale = columns as f64 / (end - begin);
    let column = |point: usize| (x[point] - begin) * scale;
    let mut kept = Vec::with_capacity(OF_A_COLUMN * (columns + 2));
    let mut point = first;
    while point < until {
        let (start, next) = (point, column(point).floor() + 1.0);
        let (mut least, mut greatest) = (start, start);
        point += 1;
        while point < until && column(point) < next {
            if y[point] < y[least] {
                least = point;
            }
            if y[point] > y[greatest] {
                greatest = point;
            }
            point += 1;
        }
        let mut points = [start, least, greatest, point - 1];
        points.sort_unstable();
        kept.extend(points.map(|point| point as u64));
    }
    kept.dedup();
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(x: &[f64], y: &[f64], begin: f64, end: f64, columns: usize) -> Vec<u64> {
        points_to_draw(x, y, begin, end, columns).expect("a number for each time")
    }

    #[test]
    fn a_column_keeps_its_ends_and_its_extremes() {
        let x: Vec<f64> = (0..20).map(f64::from).collect();
        let y = [5, 5, 9, 5, 1, 1, 9, 5, 5, 5, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6].map(f64::from);
        assert_eq!(shown(&x, &y, 0.0, 20.0, 2), [0, 2, 4, 9, 10, 19]);
        // Of a part of it, with what lines lead to.
        assert_eq!(shown(&x, &y, 3.5, 10.5, 1), [3, 4, 6, 10, 11]);
    }

    #[test]
    fn few_points_are_all_kept() {
        let (x, y) = ([0.0, 1.0, 2.0, 3.0, 4.0], [7.0; 5]);
        assert_eq!(shown(&x, &y, 0.0, 4.0, 2), [0, 1, 2, 3, 4]);
        assert_eq!(shown(&x, &y, 1.5, 2.5, 2), [1, 2, 3]);
        assert!(shown(&[], &[], 0.0, 1.0, 1).is_empty());
        assert!(points_to_draw(&x, &y[1..], 0.0, 4.0, 2).is_err());
    }
}
