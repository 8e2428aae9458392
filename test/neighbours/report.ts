import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Meeting } from "./meeting.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "reliability.md");

/** Writes one row of the table of programs in docs/reliability.md, which has its name in the first column. */
export function writeFigures(name: string, met: readonly Meeting[]): void {
  const sum = (of: (m: Meeting) => number): string =>
    met.reduce((total, m) => total + of(m), 0).toLocaleString("en-US");
  const ends = met.flatMap((m) => m.ended);
  const slowest = Math.max(0, ...met.map((m) => m.recoveryMs));
  const cells = [
    name,
    met.length.toLocaleString("en-US"),
    ends.length.toLocaleString("en-US"),
    ends.filter((e) => e.code !== 0).length.toLocaleString("en-US"),
    sum((m) => m.compared.rows),
    sum((m) => m.compared.lost),
    sum((m) => m.compared.invented),
    sum((m) => m.compared.misnamed),
    sum((m) => (m.faults.length > 0 ? 1 : 0)),
    (slowest / 1_000).toFixed(1),
  ];
  const row = `| ${cells.join(" | ")} |`;
  const lines = readFileSync(PAGE, "utf8").split("\n");
  const at = lines.findIndex((line) => line.startsWith(`| ${name} |`));
  if (at < 0) throw new Error(`docs/reliability.md has no row “${name}”`);
  lines[at] = row;
  writeFileSync(PAGE, lines.join("\n"));
}
