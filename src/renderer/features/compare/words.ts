import type { Mark, MarkCounts, PairFigures } from "#shared/bridge/methods/compare.ts";
import { count, decimal } from "../../ui/text.ts";

export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  range: "out of range",
  sigma: "σ above limit",
  step: "step after a gap",
  stuck: "stuck",
};

/** "+1.25"; a dash where there is none. */
export function signed(value: number): string {
  return withSign(value, 2);
}

export function plain(value: number): string {
  return decimal(value, 2);
}

/** One digit after the point. */
export function short(value: number): string {
  return decimal(value, 1);
}

/** "12.3 ± 0.5" */
export function withSigma({ value, sigma }: { readonly value: number; readonly sigma: number }): string {
  if (!Number.isFinite(value)) return "–";
  return Number.isFinite(sigma) ? `${short(value)} ±\u00a0${short(sigma)}` : short(value);
}

/** "+2.5": one digit, with its sign. */
export function signedShort(value: number): string {
  return withSign(value, 1);
}

/** What rounds to zero has no sign. */
function withSign(value: number, digits: number): string {
  const text = decimal(value, digits);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** Minutes and correlation: "+35 (0.98)"; one at the end of what was looked at may lie beyond it: "at the end" */
export function lagText({ lag }: Pick<PairFigures, "lag">, lagHours: number): string {
  if (!lag) return "–";
  const minutes = Math.round(lag.seconds / 60);
  const isAtEnd = Math.abs(lag.seconds) + lag.gridSeconds > lagHours * 3_600;
  const shift = `${minutes > 0 ? "+" : minutes < 0 ? "−" : ""}${Math.abs(minutes)}`;
  return `${isAtEnd ? "at the end, " : ""}${shift} (${plain(lag.correlation)})`;
}

/** How epochs were brought together: "rows up to 15 s apart", "means of 300 s" */
export function joinText(pair: Pick<PairFigures, "joining" | "joinSeconds">): string {
  return pair.joining === "means" ? `means of ${count(pair.joinSeconds)} s` : `rows up to ${pair.joinSeconds} s apart`;
}

/** The kinds of marks that occur: "120 σ above limit, 3 stuck" */
export function marksText(counts: MarkCounts): string {
  const kinds = Object.entries(counts).filter(([, n]) => n > 0);
  return kinds.map(([mark, n]) => `${count(n)} ${MARK_WORDS[mark as Mark]}`).join(", ");
}

export function sumOfMarks(all: readonly MarkCounts[]): MarkCounts {
  const sum = { range: 0, sigma: 0, step: 0, stuck: 0 };
  for (const counts of all) for (const mark of Object.keys(sum) as Mark[]) sum[mark] += counts[mark];
  return sum;
}
