import { type Variable, variableInfo } from "#shared/service/variables.ts";

// Bytes of a JSON row as the service writes it before its variables: time, station id and display name.
const ROW_BYTES = 118;

/** Expected bytes of one JSON row with these variables: 172 for the three scalars, about 1,300 with all satellites. */
export function bytesPerRow(variables: readonly Variable[]): number {
  return variables.reduce((sum, name) => sum + variableInfo(name).wireBytes, ROW_BYTES);
}

/**
 * Most points that a request of ours has, whatever the service allows. What a lost connection costs is bounded by it,
 * and progress is seen: a million rows are about half a second of work and 175 MB of body.
 */
export const CEILING_POINTS = 1_000_000;
/** The same in expected bytes of body, so that rows with satellites (1.3 kB each) make no gigabyte of one request. */
const CEILING_BYTES = 200_000_000;
/** Most stations of one request: their identifiers stay a body of a few kilobytes. */
export const CEILING_STATIONS = 200;

/** The points that a request for these variables may have under a limit of the service. */
export function ceilingPoints(variables: readonly Variable[], limit: number): number {
  return Math.max(1, Math.min(limit, CEILING_POINTS, Math.floor(CEILING_BYTES / bytesPerRow(variables))));
}
