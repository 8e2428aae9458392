import { FormatFailure } from "../../error.ts";
import type { AxisSlice, NetcdfVariable } from "./types.ts";

/** Returns the requested part along every axis; the whole variable by default. @throws FormatFailure if outside the variable */
export function checkedSlices(
  variable: NetcdfVariable,
  slices: readonly AxisSlice[] | undefined,
): readonly AxisSlice[] {
  const requested = slices ?? variable.shape.map((size): AxisSlice => [0, size]);
  const fits =
    requested.length === variable.shape.length &&
    requested.every(([start, end], axis) => start >= 0 && start <= end && end <= (variable.shape[axis] ?? 0));
  if (!fits) throw new FormatFailure("invalid", `The requested part is outside the variable ${variable.name}.`);
  return requested;
}

export function sliceLength(slices: readonly AxisSlice[]): number {
  return slices.reduce((product, [start, end]) => product * (end - start), 1);
}

/** Splits bytes into UTF-8 texts of `width` bytes each, without NUL padding. */
export function splitTexts(bytes: Uint8Array, width: number): string[] {
  if (width === 0) return [];
  const decoder = new TextDecoder();
  return Array.from({ length: bytes.length / width }, (_, i) => {
    const cell = bytes.subarray(i * width, (i + 1) * width);
    const end = cell.indexOf(0);
    return decoder.decode(end < 0 ? cell : cell.subarray(0, end));
  });
}
