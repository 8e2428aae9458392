import {
  FIGURE_WIDTHS,
  MIN_FIGURE_MM,
  LENGTH_UNITS,
  type LengthUnit,
  MAX_FIGURE_MM,
  toMm,
} from "#shared/file/figure.ts";
import { failure, success } from "#shared/service/error.ts";
import type { Parsed } from "./parse.ts";

/** A length with its unit. Pixels are converted later, with the resolution of another option. */
export interface TypedLength {
  readonly text: string;
  readonly length: number;
  readonly unit: LengthUnit;
}

export const WIDTH_NAMES = FIGURE_WIDTHS.map(({ id }) => id).join(", ");
const LENGTH = new RegExp(`^(\\d+(?:\\.\\d+)?) ?(${LENGTH_UNITS.join("|")})?$`);

/** Parses `120`, `120mm`, `12cm`, `7in` or `1000px`; without a unit, mm. */
export function parseLength(text: string): Parsed<TypedLength> {
  const match = LENGTH.exec(text.trim().toLowerCase());
  if (!match) return failure(`“${text}” is not a length. Write for example 120mm, 12cm, 7in or 1000px.`);
  const unit = LENGTH_UNITS.find((each) => each === match[2]) ?? "mm";
  return success({ text, length: Number(match[1]), unit });
}

/** Parses a length, or the name of a journal's column width. */
export function parseWidth(text: string): Parsed<TypedLength> {
  const preset = FIGURE_WIDTHS.find(({ id }) => id === text.trim().toLowerCase());
  if (preset) return success({ text, length: preset.widthMm, unit: "mm" });
  const length = parseLength(text);
  return length.ok ? length : failure(`${length.error} Column widths: ${WIDTH_NAMES}.`);
}

export function lengthMm({ text, length, unit }: TypedLength, dpi: number): Parsed<number> {
  const mm = toMm(unit, length, dpi);
  if (mm >= MIN_FIGURE_MM && mm <= MAX_FIGURE_MM) return success(mm);
  return failure(
    `A figure is between ${MIN_FIGURE_MM} and ${MAX_FIGURE_MM} mm wide and high: “${text}” is ${Math.round(mm)} mm.`,
  );
}
