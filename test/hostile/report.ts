import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { many } from "../support/reliability.ts";
import { isSound, type Outcome } from "./run.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "reliability.md");
const BEGIN = "<!-- hostile service: written by npm run endurance -->";
const END = "<!-- up to here -->";

/** Writes the table of docs/reliability.md after a complete run, with a row for each kind of scenario. */
export function writeReport(outcomes: readonly Outcome[]): void {
  const [before, rest = ""] = readFileSync(PAGE, "utf8").split(BEGIN);
  const [, ...after] = rest.split(END);
  writeFileSync(PAGE, `${before}${BEGIN}\n${tableOf(outcomes)}\n${END}${after.join(END)}`);
}

function tableOf(outcomes: readonly Outcome[]): string {
  const sound = outcomes.filter(isSound);
  const kinds = Map.groupBy(sound, ({ name }) => name.split(":", 1)[0] ?? name);
  const rows = [...kinds, ["All", sound] as const].map(([kind, of]) => [kind, ...cellsOf(of)]);
  return [
    `${sound.length} of ${outcomes.length} scenarios passed.`,
    "",
    "| Kind | Scenarios | Rows compared | Lost | Invented | Misnamed | Most requests | Longest, s |",
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");
}

function cellsOf(outcomes: readonly Outcome[]): readonly string[] {
  const sum = (of: (o: Outcome) => number): string => many(outcomes.reduce((total, o) => total + of(o), 0));
  const most = Math.max(...outcomes.map((o) => o.requests));
  const longest = Math.max(...outcomes.map((o) => o.seconds));
  return [
    many(outcomes.length),
    sum((o) => o.compared),
    sum((o) => o.lost),
    sum((o) => o.invented),
    sum((o) => o.misnamed),
    many(most),
    longest.toFixed(1),
  ];
}
