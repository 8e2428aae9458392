import { NO_VALUE } from "#shared/text.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import type { Mark, MarkCounts, PairStatistics } from "#shared/bridge/methods/compare.ts";
import { count, decimal } from "../../ui/text.ts";

export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  range: "out of range",
  sigma: "σ above limit",
  step: "step after a gap",
  stuck: "stuck",
};

/** Rows of a table of pairs or sites that are shown at first, so that the figures below stay near. */
export const FIRST_ROWS = 10;

/** Formats with a sign and two decimals: "+1.25"; a dash for NaN. */
export function signed(value: number): string {
  return withSign(value, 2);
}

/** Formats with two decimals; a dash for NaN. */
export function twoDecimals(value: number): string {
  return decimal(value, 2);
}

/** Formats with one decimal; a dash for NaN. */
export function short(value: number): string {
  return decimal(value, 1);
}

/** Formats as "12.3 ± 0.5". */
export function withSigma({ value, sigma }: { readonly value: number; readonly sigma: number }): string {
  if (!Number.isFinite(value)) return NO_VALUE;
  return Number.isFinite(sigma) ? `${short(value)} ±\u00a0${short(sigma)}` : short(value);
}

/** Formats with a sign and one decimal: "+2.5". */
export function signedShort(value: number): string {
  return withSign(value, 1);
}

/** A value that rounds to zero gets no sign. */
function withSign(value: number, digits: number): string {
  const text = decimal(value, digits);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** Formats minutes and correlation: "+35 (0.98)". "at the end" marks a lag at the edge of the search window. */
export function lagText({ lag }: Pick<PairStatistics, "lag">, lagHours: number): string {
  if (!lag) return NO_VALUE;
  const minutes = Math.round(lag.seconds / 60);
  const isAtEnd = Math.abs(lag.seconds) + lag.gridSeconds > lagHours * 3_600;
  const shift = `${minutes > 0 ? "+" : minutes < 0 ? "−" : ""}${Math.abs(minutes)}`;
  return `${isAtEnd ? "at the end, " : ""}${shift} (${twoDecimals(lag.correlation)})`;
}

/** Describes how epochs were joined: "rows up to 15 s apart", "means of 300 s". */
export function joinText(pair: Pick<PairStatistics, "joining" | "joinSeconds">): string {
  return pair.joining === "means" ? `means of ${count(pair.joinSeconds)} s` : `rows up to ${pair.joinSeconds} s apart`;
}

/** Lists the kinds of flags that occur: "120 σ above limit, 3 stuck". */
export function marksText(counts: MarkCounts): string {
  const kinds = Object.entries(counts).filter(([, n]) => n > 0);
  return kinds.map(([mark, n]) => `${count(n)} ${MARK_WORDS[mark as Mark]}`).join(", ");
}

export function sumOfMarks(all: readonly MarkCounts[]): MarkCounts {
  const sum = { range: 0, sigma: 0, step: 0, stuck: 0 };
  for (const counts of all) for (const mark of Object.keys(sum) as Mark[]) sum[mark] += counts[mark];
  return sum;
}

const REFERENCE_WORDS: Readonly<Record<HeightReference, string>> = {
  WGS84_ELLIPSOID: "the ellipsoid (WGS 84)",
  EGM2008: "the geoid (EGM2008)",
};

/** "above the geoid (EGM2008)" */
export function aboveReference(reference: HeightReference): string {
  return `above ${REFERENCE_WORDS[reference]}`;
}
