/** Fewest stations for a regression line. */
const MIN_STATIONS = 5;

/**
 * Returns the residuals of a least-squares regression of values against height: the part that station height does not
 * explain. NaN where a value or height is unknown, and for all stations if fewer than five have both or all have the
 * same height.
 *
 * @param heights metres
 */
export function heightResiduals(values: Float64Array, heights: Float64Array): Float64Array {
  const stations = Array.from(values, (value, i) => ({ value, height: heights[i] ?? Number.NaN }));
  const used = stations.filter(({ value, height }) => Number.isFinite(value) && Number.isFinite(height));
  const meanHeight = mean(used.map(({ height }) => height));
  const meanValue = mean(used.map(({ value }) => value));
  let [covariance, variance] = [0, 0];
  for (const { value, height } of used) {
    covariance += (height - meanHeight) * (value - meanValue);
    variance += (height - meanHeight) ** 2;
  }
  if (used.length < MIN_STATIONS || variance === 0) return values.map(() => Number.NaN);
  const slope = covariance / variance;
  return Float64Array.from(stations, ({ value, height }) => {
    const residual = value - meanValue - slope * (height - meanHeight);
    return Number.isFinite(residual) ? residual : Number.NaN;
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
