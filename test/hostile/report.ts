import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSound, type Outcome } from "./run.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "reliability.md");
const BEGIN = "<!-- hostile service: written by npm run endurance -->";
const END = "<!-- up to here -->";

/** Puts an outcome into the table of docs/reliability.md, where it is as it has to be; what is not has no row there. */
export function writeReport(outcome: Outcome, names: readonly string[]): void {
  const [before, rest = ""] = readFileSync(PAGE, "utf8").split(BEGIN);
  const [table = "", ...after] = rest.split(END);
  writeFileSync(PAGE, `${before}${BEGIN}\n${newTable(rowsOf(table), outcome, names)}\n${END}${after.join(END)}`);
}

/** Cells of the rows by name, as an earlier run wrote them. */
function rowsOf(table: string): Map<string, readonly string[]> {
  const rows = table.split("\n").filter((line) => /^\|.*\d/.test(line));
  return new Map(rows.map((line) => line.slice(2, -2).split(" | ")).map(([name = "", ...cells]) => [name, cells]));
}

function newTable(rows: Map<string, readonly string[]>, outcome: Outcome, names: readonly string[]): string {
  rows.delete(nameOf(outcome.name));
  if (isSound(outcome)) rows.set(nameOf(outcome.name), cellsOf(outcome));
  const kept = names.flatMap((name) => {
    const cells = rows.get(nameOf(name));
    return cells ? [[nameOf(name), ...cells]] : [];
  });
  const sum = (column: number): string =>
    many(kept.reduce((total, cells) => total + Number(cells[column]?.replaceAll(",", "")), 0));
  const all = ["All", sum(1), sum(2), sum(3), sum(4), "", sum(6), ""];
  return [
    `${kept.length} of ${names.length} scenarios as they have to be; ${sum(1)} rows compared.`,
    "",
    "| Scenario | Rows compared | Lost | Invented | Misnamed | Exit code | Requests | Seconds |",
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    ...[...kept, all].map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");
}

function cellsOf(o: Outcome): readonly string[] {
  const counts = [o.compared, o.lost, o.invented, o.misnamed].map(many);
  return [...counts, String(o.exitCode), many(o.requests), o.seconds.toFixed(1)];
}

/** Of a scenario, where a bar would end the cell. */
function nameOf(name: string): string {
  return name.replaceAll("|", "\\|");
}

function many(n: number): string {
  return n.toLocaleString("en-US");
}
