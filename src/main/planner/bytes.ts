import { type Variable, variableInfo } from "#shared/service/variables.ts";

// Bytes of a JSON row as the service writes it before its variables: time, station id and display name.
const ROW_BYTES = 118;

/** Expected bytes of one JSON row with these variables: 172 for the three scalars, about 1,300 with all satellites. */
export function bytesPerRow(variables: readonly Variable[]): number {
  return variables.reduce((sum, name) => sum + variableInfo(name).wireBytes, ROW_BYTES);
}
