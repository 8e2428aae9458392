/**
 * The growth of a measurement with a size: the slope of a straight line through the logarithms. 0 is no growth, 1 is
 * growth in proportion to the size.
 */
export function exponentOf(points: readonly (readonly [size: number, measured: number])[]): number {
  const logs = points.map(([size, measured]) => [Math.log(size), Math.log(measured)] as const);
  const mean = (pick: 0 | 1): number => logs.reduce((sum, point) => sum + point[pick], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const variance = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return covariance / variance;
}
