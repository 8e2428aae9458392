const HOUR_MS = 3_600_000;
/** A line through fewer values, or through less than this share of the window, is a guess. */
const LEAST_VALUES = 3;
const LEAST_SHARE = 0.5;

/**
 * How fast values change: at each value the slope of the straight line that fits the values of a window around it best,
 * per hour. NaN where the window holds too few of them, or only a part of it holds any.
 *
 * @param timesMs strictly ascending
 * @param windowMs whole width; what lies exactly half of it away counts
 */
export function ratePerHour(timesMs: Float64Array, values: Float64Array, windowMs: number): Float64Array {
  const rates = new Float64Array(values.length).fill(Number.NaN);
  let from = 0;
  let to = 0;
  for (let i = 0; i < values.length; i++) {
    while (timesMs[from]! < timesMs[i]! - windowMs / 2) from++;
    while (to < values.length && timesMs[to]! <= timesMs[i]! + windowMs / 2) to++;
    if (to - from < LEAST_VALUES || timesMs[to - 1]! - timesMs[from]! < windowMs * LEAST_SHARE) continue;
    rates[i] = slope(timesMs, values, from, to, i);
  }
  return rates;
}

/** Times and values are taken from those in the middle: what is large cancels before it is squared. */
function slope(timesMs: Float64Array, values: Float64Array, from: number, to: number, middle: number): number {
  let [sumT, sumV, squares, products] = [0, 0, 0, 0];
  for (let k = from; k < to; k++) {
    const hours = (timesMs[k]! - timesMs[middle]!) / HOUR_MS;
    const value = values[k]! - values[middle]!;
    sumT += hours;
    sumV += value;
    squares += hours * hours;
    products += hours * value;
  }
  const n = to - from;
  return (products - (sumT * sumV) / n) / (squares - (sumT * sumT) / n);
}
