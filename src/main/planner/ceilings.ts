import { type Variable, variableInfo } from "#shared/service/variables.ts";

// Bytes of a JSON row, as the service writes it, without its variables: time, station id and display name.
const ROW_BYTES = 118;

/** Expected bytes of one JSON row with these variables: 172 for the three scalars, about 1,300 with all satellites. */
export function bytesPerRow(variables: readonly Variable[]): number {
  return variables.reduce((sum, name) => sum + variableInfo(name).wireBytes, ROW_BYTES);
}

/**
 * The maximum number of points in a request, whatever the service allows. It bounds the cost of a lost connection and
 * keeps progress visible: a million rows are about half a second of work and 175 MB of body.
 */
export const CEILING_POINTS = 1_000_000;
/**
 * The same in expected bytes of body, so that rows with satellites (1.3 kB each) do not make a request of a gigabyte.
 */
const CEILING_BYTES = 200_000_000;
/** The maximum number of stations in a request: their identifiers remain a few kilobytes of body. */
export const CEILING_STATIONS = 200;

/** Returns the points that a request for these variables may have under a limit of the service. */
export function ceilingPoints(variables: readonly Variable[], limit: number): number {
  return Math.max(1, Math.min(limit, CEILING_POINTS, Math.floor(CEILING_BYTES / bytesPerRow(variables))));
}
