/** Stations that a straight line through them can be wrong about. */
const LEAST_STATIONS = 5;

/**
 * What is left of values when a straight line through them against height, by least squares, is taken away: the part
 * that the height of a station does not explain. NaN where a value or a height is unknown, and everywhere where fewer
 * than five stations have both or all have one height.
 *
 * @param heights metres
 */
export function heightResiduals(values: Float64Array, heights: Float64Array): Float64Array {
  let [n, meanHeight, meanValue] = [0, 0, 0];
  const isUsed = (i: number): boolean => Number.isFinite(values[i]) && Number.isFinite(heights[i]);
  for (let i = 0; i < values.length; i++) {
    if (!isUsed(i)) continue;
    n++;
    meanHeight += (heights[i]! - meanHeight) / n;
    meanValue += (values[i]! - meanValue) / n;
  }
  let [product, square] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    if (!isUsed(i)) continue;
    product += (heights[i]! - meanHeight) * (values[i]! - meanValue);
    square += (heights[i]! - meanHeight) ** 2;
  }
  const hasLine = n >= LEAST_STATIONS && square > 0;
  return values.map((value, i) =>
    hasLine && isUsed(i) ? value - meanValue - (product / square) * (heights[i]! - meanHeight) : Number.NaN,
  );
}
