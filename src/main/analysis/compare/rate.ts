const HOUR_MS = 3_600_000;
/** A line through fewer values, or through less than this fraction of the window, is unreliable. */
const MIN_VALUES = 3;
const MIN_FRACTION = 0.5;

/**
 * Returns the rate of change at each value: the slope of the least-squares line through the values of a window around it,
 * per hour. NaN if the window has too few values, or values in only a part of it.
 *
 * @param timesMs strictly ascending
 * @param windowMs full width; includes values exactly half of it away
 */
export function ratePerHour(timesMs: Float64Array, values: Float64Array, windowMs: number): Float64Array {
  const rates = new Float64Array(values.length).fill(Number.NaN);
  let from = 0;
  let to = 0;
  for (let i = 0; i < values.length; i++) {
    const timeMs = timesMs[i]!;
    while (timesMs[from]! < timeMs - windowMs / 2) from++;
    while (to < values.length && timesMs[to]! <= timeMs + windowMs / 2) to++;
    if (to - from < MIN_VALUES || timesMs[to - 1]! - timesMs[from]! < windowMs * MIN_FRACTION) continue;
    rates[i] = slope(timesMs, values, from, to, { timeMs, value: values[i]! });
  }
  return rates;
}

/** Relative to the middle value, so that large offsets cancel before they are squared. */
function slope(
  timesMs: Float64Array,
  values: Float64Array,
  from: number,
  to: number,
  middle: { readonly timeMs: number; readonly value: number },
): number {
  let [sumT, sumV, squares, products] = [0, 0, 0, 0];
  for (let k = from; k < to; k++) {
    const hours = (timesMs[k]! - middle.timeMs) / HOUR_MS;
    const value = values[k]! - middle.value;
    sumT += hours;
    sumV += value;
    squares += hours * hours;
    products += hours * value;
  }
  const n = to - from;
  return (products - (sumT * sumV) / n) / (squares - (sumT * sumT) / n);
}
