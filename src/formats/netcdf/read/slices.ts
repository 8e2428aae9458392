import { FormatFailure } from "../../error.ts";
import type { AxisSlice, NetcdfVariable } from "./types.ts";

/** The wanted part along every axis, whole axes filled in. Throws where it does not lie within the variable. */
export function checkedSlices(
  variable: NetcdfVariable,
  slices: readonly AxisSlice[] | undefined,
): readonly AxisSlice[] {
  const wanted = slices ?? variable.shape.map((size): AxisSlice => [0, size]);
  const fits =
    wanted.length === variable.shape.length &&
    wanted.every(([start, end], axis) => start >= 0 && start <= end && end <= variable.shape[axis]!);
  if (!fits) throw new FormatFailure("invalid", `The requested part is outside the variable ${variable.name}.`);
  return wanted;
}

export function sliceLength(slices: readonly AxisSlice[]): number {
  return slices.reduce((product, [start, end]) => product * (end - start), 1);
}

/** Texts of `width` bytes each, in UTF-8, without the NULs that fill them up. */
export function splitTexts(bytes: Uint8Array, width: number): string[] {
  if (width === 0) return [];
  const decoder = new TextDecoder();
  return Array.from({ length: bytes.length / width }, (_, i) => {
    const cell = bytes.subarray(i * width, (i + 1) * width);
    const end = cell.indexOf(0);
    return decoder.decode(end < 0 ? cell : cell.subarray(0, end));
  });
}
