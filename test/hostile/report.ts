import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSound, type Outcome } from "./run.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "reliability.md");
const BEGIN = "<!-- hostile service: written by npm run endurance -->";
const END = "<!-- up to here -->";

/** Writes the table of the hostile service in docs/reliability.md. */
export function writeReport(outcomes: readonly Outcome[]): void {
  const [before, rest = ""] = readFileSync(PAGE, "utf8").split(BEGIN);
  const [, ...after] = rest.split(END);
  writeFileSync(PAGE, `${before}${BEGIN}\n${table(outcomes)}\n${END}${after.join(END)}`);
}

function table(outcomes: readonly Outcome[]): string {
  const sound = outcomes.filter(isSound).length;
  const sum = (of: (o: Outcome) => number): string => many(outcomes.reduce((total, o) => total + of(o), 0));
  return [
    `${sound} of ${outcomes.length} scenarios as they have to be; ${sum((o) => o.compared)} rows compared.`,
    "",
    "| Scenario | Rows compared | Lost | Invented | Misnamed | Exit code | Requests | Seconds |",
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    ...outcomes.map(
      (o) =>
        `| ${o.name} | ${many(o.compared)} | ${many(o.lost)} | ${many(o.invented)} | ${many(o.misnamed)} | ${o.exitCode} | ${many(o.requests)} | ${o.seconds.toFixed(1)} |`,
    ),
    `| All | ${sum((o) => o.compared)} | ${sum((o) => o.lost)} | ${sum((o) => o.invented)} | ${sum((o) => o.misnamed)} | | ${sum((o) => o.requests)} | |`,
  ].join("\n");
}

function many(n: number): string {
  return n.toLocaleString("en-US");
}
