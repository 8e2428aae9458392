/** Pieces that were given up, and by how much the smallest piece grows after them. */
const PIECES = 16;
const GROWTH = 8;

/**
 * The size that is not divided any more, although it cannot be had: a single observation of one variable (0 points) at
 * first, so that nothing else is lost; larger the more has been given up, so that a service in which much cannot be had
 * costs a bounded number of requests. What is given up is named with its range, and asked again by the next job.
 *
 * @param givenUp pieces that this job has given up so far
 * @returns data points
 */
export function floorPoints(givenUp: number): number {
  const level = Math.floor(givenUp / PIECES);
  return level === 0 ? 0 : GROWTH ** Math.min(level, 20);
}
