import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "reliability.md");

/** Sums of many repetitions of a test. */
export interface Tally {
  tries: number;
  rows: number;
  lost: number;
  invented: number;
  misnamed: number;
  /** The longest time until all data were restored. */
  slowestMs: number;
}

export function emptyTally(): Tally {
  return { tries: 0, rows: 0, lost: 0, invented: 0, misnamed: 0, slowestMs: 0 };
}

/** The cells of a row of docs/reliability.md: tries, compared rows and their errors, and seconds. */
export function tallyCells({ tries, rows, lost, invented, misnamed, slowestMs }: Tally): string[] {
  return [...[tries, rows, lost, invented, misnamed].map(many), (slowestMs / 1_000).toFixed(1)];
}

/** Replaces the row of docs/reliability.md with this name in its first column. Only for complete runs. */
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
