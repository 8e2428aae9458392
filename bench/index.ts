// Measures the core against its goals and its peers, and prints a table. See `npm run bench -- --help`.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { desktop } from "./groups/desktop.ts";
import { exportFigure } from "./groups/export.ts";
import { netcdf } from "./groups/netcdf.ts";
import { scale } from "./groups/scale.ts";
import { store } from "./groups/store.ts";
import { wire } from "./groups/wire.ts";
import { fullScale, quickScale } from "./harness/scale.ts";
import { judge } from "./harness/statistics.ts";
import { table } from "./harness/table.ts";
import { findPython, findSqlite3 } from "./harness/tools.ts";
import type { Bench, Figure, Finding } from "./harness/types.ts";

const FIGURES: readonly Figure[] = [wire, netcdf, store, exportFigure, desktop, scale];
const FULL_RUNS = 5;
const QUICK_RUNS = 1;

const HELP = `Measures the core and prints a table: median, peer's median in the same run, ratio, goal, reached or missed.

  npm run bench -- [--quick] [--runs N] [--only NAME] [--json FILE]

  --quick      small sizes and one run: a look whether everything works
  --runs N     runs of each measurement (${FULL_RUNS})
  --only NAME  one group only; may be given several times
  --json FILE  all samples as JSON too

Groups:
${FIGURES.map((figure) => `  ${figure.name.padEnd(10)} ${figure.about}`).join("\n")}`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    runs: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

function say(sentence: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)}  ${sentence}`);
}

function stop(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

/** A group that fails is one line of the table; the other groups continue. */
async function* findingsOf(figure: Figure, bench: Bench): AsyncIterable<Finding> {
  say(`${figure.name}: ${figure.about}`);
  try {
    yield* figure.measure(bench);
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error);
    yield { name: figure.name, unit: "", better: "more", samples: [], peer: null, goal: null, note };
  }
}

if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const chosen = FIGURES.filter((figure) => values.only.length === 0 || values.only.includes(figure.name));
const unknown = values.only.find((name) => !FIGURES.some((figure) => figure.name === name));
if (unknown !== undefined)
  stop(`There is no group “${unknown}”; the groups are ${FIGURES.map((f) => f.name).join(", ")}.`);
const runs = Number(values.runs ?? (values.quick ? QUICK_RUNS : FULL_RUNS));
if (!Number.isInteger(runs) || runs < 1) stop("--runs wants a whole number from 1.");

const folder = mkdtempSync(join(tmpdir(), "zenith-bench-"));
const clean = (): void => rmSync(folder, { recursive: true, force: true });
process.once("SIGINT", () => {
  clean();
  process.exit(130);
});
const bench: Bench = {
  scale: values.quick ? quickScale(runs) : fullScale(runs),
  folder,
  python: findPython(),
  sqlite3: findSqlite3(),
  say,
};
say(
  values.quick
    ? "A quick look: small sizes, so that ratios and verdicts mean little. About two minutes."
    : "All groups: 30 to 40 minutes and 12 GB of temporary files.",
);
try {
  const findings: Finding[] = [];
  for (const figure of chosen) for await (const finding of findingsOf(figure, bench)) findings.push(finding);
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, ${Math.round(totalmem() / 1e9)} GB, Node ${process.version}`;
  const caution = values.quick
    ? "; a quick look: sizes are a tenth or less of what the names say, verdicts mean nothing"
    : "";
  console.log(`\n${machine}; medians of ${runs}${caution}\n\n${table(findings)}`);
  if (values.json !== undefined) {
    const judged = findings.map((finding) => ({ ...finding, goal: finding.goal?.text ?? null, ...judge(finding) }));
    writeFileSync(
      values.json,
      `${JSON.stringify({ machine, runs, isQuick: values.quick, findings: judged }, null, 2)}\n`,
    );
  }
  if (findings.some((finding) => finding.samples.length === 0)) process.exitCode = 1;
} finally {
  clean();
}
