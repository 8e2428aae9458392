import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSound, type Outcome } from "./run.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "reliability.md");
const BEGIN = "<!-- hostile service: written by npm run endurance -->";
const END = "<!-- up to here -->";

/** Writes the table of docs/reliability.md after a complete run, with a row for each scenario that passed. */
export function writeReport(outcomes: readonly Outcome[]): void {
  const [before, rest = ""] = readFileSync(PAGE, "utf8").split(BEGIN);
  const [, ...after] = rest.split(END);
  writeFileSync(PAGE, `${before}${BEGIN}\n${tableOf(outcomes)}\n${END}${after.join(END)}`);
}

function tableOf(outcomes: readonly Outcome[]): string {
  const sound = outcomes.filter(isSound);
  const sum = (of: (o: Outcome) => number): number => sound.reduce((total, o) => total + of(o), 0);
  const compared = grouped(sum((o) => o.compared));
  const [lost, invented, misnamed] = [sum((o) => o.lost), sum((o) => o.invented), sum((o) => o.misnamed)].map(grouped);
  const all = ["All", compared, lost, invented, misnamed, "", grouped(sum((o) => o.requests)), ""];
  return [
    `${sound.length} of ${outcomes.length} scenarios passed; ${compared} rows compared.`,
    "",
    "| Scenario | Rows compared | Lost | Invented | Misnamed | Exit code | Requests | Seconds |",
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    ...[...sound.map((o) => [nameOf(o.name), ...cellsOf(o)]), all].map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");
}

function cellsOf(o: Outcome): readonly string[] {
  const counts = [o.compared, o.lost, o.invented, o.misnamed].map(grouped);
  return [...counts, String(o.exitCode), grouped(o.requests), o.seconds.toFixed(1)];
}

/** The name of a scenario, with bars escaped for a table of Markdown. */
function nameOf(name: string): string {
  return name.replaceAll("|", "\\|");
}

function grouped(n: number): string {
  return n.toLocaleString("en-US");
}
