import { many, writeRow } from "../support/reliability.ts";
import type { Meeting } from "./meeting.ts";

/**
 * Writes one row of the table of programs in docs/reliability.md.
 *
 * @param whole number of meetings in a complete run; counts of an incomplete run are not written
 */
export function writeFigures(name: string, met: readonly Meeting[], whole: number): void {
  if (met.length < whole) return;
  const sum = (of: (m: Meeting) => number): string => many(met.reduce((total, m) => total + of(m), 0));
  const slowestMs = Math.max(0, ...met.map((m) => m.recoveryMs));
  writeRow(name, [
    many(met.length),
    sum((m) => m.ended.length),
    sum((m) => m.ended.filter((e) => e.code !== 0).length),
    sum((m) => m.compared.rows),
    sum((m) => m.compared.lost),
    sum((m) => m.compared.invented),
    sum((m) => m.compared.misnamed),
    sum((m) => (m.faults.length > 0 ? 1 : 0)),
    (slowestMs / 1_000).toFixed(1),
  ]);
}
