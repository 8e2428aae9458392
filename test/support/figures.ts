import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "reliability.md");

/** What was compared over many tries of something. */
export interface Tally {
  tries: number;
  rows: number;
  lost: number;
  invented: number;
  misnamed: number;
  /** The longest time until everything was there again. */
  slowestMs: number;
}

export function emptyTally(): Tally {
  return { tries: 0, rows: 0, lost: 0, invented: 0, misnamed: 0, slowestMs: 0 };
}

/** The cells of a row of docs/reliability.md: tries, what was compared, and seconds. */
export function tallyCells({ tries, rows, lost, invented, misnamed, slowestMs }: Tally): string[] {
  return [...[tries, rows, lost, invented, misnamed].map(many), (slowestMs / 1_000).toFixed(1)];
}

/** Writes one row of a table in docs/reliability.md: the one that has the name in its first column. Only a whole run may. */
export function writeRow(name: string, cells: readonly string[]): void {
  const lines = readFileSync(PAGE, "utf8").split("\n");
  const at = lines.findIndex((line) => line.startsWith(`| ${name} |`));
  if (at < 0) throw new Error(`docs/reliability.md has no row “${name}”`);
  lines[at] = `| ${[name, ...cells].join(" | ")} |`;
  writeFileSync(PAGE, lines.join("\n"));
}

export function many(n: number): string {
  return n.toLocaleString("en-US");
}
