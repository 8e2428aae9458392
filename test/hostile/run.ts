import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, STATIONS, STEP_MS, VARIABLES, valueOf, type Variable } from "./meant.ts";
import { type Ended, inEnvironment, type Zenith } from "./commands.ts";
import type { Scenario } from "./scenario.ts";
import { startHostile } from "./server.ts";

/** What became of one scenario, counted in rows of one station and epoch. */
export interface Outcome {
  readonly name: string;
  /** Rows that were exported, each compared. */
  readonly compared: number;
  /** Meant rows that are not exported and are not told to have failed. */
  readonly lost: number;
  /** Exported values that the service did not mean. */
  readonly invented: number;
  /** Exported values that it meant for another station. */
  readonly misnamed: number;
  /** Rows that are told to have failed, where the service would have given them; and rows that are told otherwise. */
  readonly wronglyFailed: number;
  /** Exit code of fetch. */
  readonly exitCode: number | null;
  readonly requests: number;
  /** Time series requests of a second fetch. */
  readonly requestsAgain: number;
  readonly seconds: number;
  /** What else is not as it should be. */
  readonly faults: readonly string[];
  readonly said: string;
}

/** Runs a scenario through the real command line: connect, fetch, fetch again, export, gaps. */
export async function runScenario(scenario: Scenario, zenith: Zenith): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "zenith-hostile-"));
  const service = await startHostile({});
  const run = Object.keys(scenario.environment).length > 0 ? inEnvironment(scenario.environment) : zenith;
  const say = (...words: readonly string[]): Promise<Ended> => run(join(folder, "data"), [...scenario.words, ...words]);
  try {
    const keyFile = join(folder, "key");
    writeFileSync(keyFile, "hostile-key\n", { mode: 0o600 });
    const connected = await say("connect", service.url, "--name", "hostile", "--key-file", keyFile);
    if (connected.code !== 0) throw new Error(`connect: ${connected.stderr}`);
    if (scenario.hasOldCatalogue) await say("stations", "--refresh");
    service.become(scenario.behaviour());
    if (scenario.hasOldCatalogue) await say("stations", "--refresh");
    const range = ["--from", new Date(scenario.startMs).toISOString(), "--to", new Date(endOf(scenario)).toISOString()];
    const names = STATIONS.slice(0, scenario.stations).map((s) => s.name);
    const before = service.counts.series + service.counts.others;
    const startedAt = performance.now();
    const fetched = await say("fetch", ...names, ...range);
    const seconds = (performance.now() - startedAt) / 1000;
    const requests = service.counts.series + service.counts.others - before;
    const seriesBefore = service.counts.series;
    const again = await say("fetch", ...names, ...range);
    const requestsAgain = service.counts.series - seriesBefore;
    const csv = join(folder, "out.csv");
    const exported = await say("export", ...names, ...range, "--format", "csv", "--out", csv);
    const gaps = await say("gaps", ...names, ...range, "--csv", "--min", "1s", "--vars", VARIABLES.join(","));
    const compared = compare(scenario, exported.code === 0 ? readFileSync(csv, "utf8") : "", gaps.stdout);
    const faults: string[] = [];
    const { expected } = scenario;
    if ((expected === "all" || expected === "later" || expected === "rows") && fetched.code !== 0)
      faults.push(`exit code ${fetched.code}`);
    if (expected === "all" && requestsAgain > 0)
      faults.push(`asked again: ${requestsAgain} requests (exit ${again.code})`);
    if (compared.compared > 0 && /Everything was cached|[Nn]othing is missing/.test(fetched.stdout + fetched.stderr))
      faults.push("says that everything was there");
    if (typeof expected === "function" && fetched.code !== 3) faults.push(`exit code ${fetched.code} instead of 3`);
    if (requests > scenario.mostRequests) faults.push(`${requests} requests, at most ${scenario.mostRequests}`);
    if (requestsAgain > scenario.mostRequests) faults.push(`asked again: ${requestsAgain} requests`);
    if (/^\s+at .+:\d+:\d+/m.test(fetched.stderr)) faults.push("a raw error");
    if (scenario.says?.test(`${fetched.stdout}${fetched.stderr}`) === false)
      faults.push(`does not say ${scenario.says}`);
    if (service.counts.elsewhere > 0) faults.push(`${service.counts.elsewhere} requests went to another address`);
    if (gaps.code !== 0) faults.push(`gaps: exit code ${gaps.code}`);
    return {
      name: scenario.name,
      ...compared,
      exitCode: fetched.code,
      requests,
      requestsAgain,
      seconds,
      faults,
      said: `${fetched.stdout}${fetched.stderr}`,
    };
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether everything of an outcome is as it has to be. */
export function isSound(outcome: Outcome): boolean {
  const { lost, invented, misnamed, wronglyFailed, faults } = outcome;
  return lost + invented + misnamed + wronglyFailed === 0 && faults.length === 0;
}

function endOf(scenario: Scenario): number {
  return scenario.startMs + scenario.days * DAY_MS;
}

const COLUMNS: Readonly<Record<string, Variable>> = { ztd_mm: "ztd", ztd_sigma_mm: "ztd_sigma", pwv_mm: "pwv" };

/** Causes by which a cell is told to be in doubt, and not empty. */
const TOLD = new Set(["failed", "notAsked", "notFinal", "forbidden"]);

function compare(scenario: Scenario, csv: string, gapsCsv: string) {
  const { startMs } = scenario;
  const epochs = (endOf(scenario) - startMs) / STEP_MS;
  let compared = 0;
  let lost = 0;
  let invented = 0;
  let misnamed = 0;
  let wronglyFailed = 0;
  /** By station, variable and epoch: 1 where a value was exported. */
  const has = (): Uint8Array[] => STATIONS.map(() => new Uint8Array(epochs));
  const exported: Record<Variable, Uint8Array[]> = { ztd: has(), ztd_sigma: has(), pwv: has() };
  const [header = "", ...lines] = csv
    .replace(/^\uFEFF/, "")
    .trim()
    .split(/\r?\n/);
  const columns = header.split(",").map((name) => COLUMNS[name]);
  const timeAt = header.split(",").indexOf("time");
  for (const line of lines) {
    const cells = line.split(",");
    const station = STATIONS.findIndex((s) => s.id === cells[0]);
    const timeMs = Date.parse(cells[timeAt] ?? "");
    const epoch = (timeMs - startMs) / STEP_MS;
    compared++;
    if (station < 0 || !Number.isInteger(epoch) || epoch < 0 || epoch >= epochs) {
      invented++;
      continue;
    }
    for (const [c, name] of columns.entries()) {
      if (name === undefined || cells[c] === "" || cells[c] === undefined) continue;
      const value = Number(cells[c]);
      const isMeant = scenario.means(station, timeMs) && value === valueOf(station, name, timeMs);
      if (isMeant && exported[name][station]![epoch] === 0) exported[name][station]![epoch] = 1;
      else if (STATIONS.some((s) => s.index !== station && valueOf(s.index, name, timeMs) === value)) misnamed++;
      else invented++;
    }
  }
  const told: Record<Variable, Uint8Array[]> = { ztd: has(), ztd_sigma: has(), pwv: has() };
  for (const line of gapsCsv.trim().split(/\r?\n/).slice(1)) {
    const [id, , name, cause = "", start = "", end = ""] = line.split(",");
    const station = STATIONS.findIndex((s) => s.id === id);
    if (station < 0 || !TOLD.has(cause)) continue;
    const from = Math.max(0, Math.ceil((Date.parse(start) - startMs) / STEP_MS));
    const to = Math.min(epochs, Math.ceil((Date.parse(end) - startMs) / STEP_MS));
    told[name as Variable][station]!.fill(1, from, to);
  }
  for (const { index: station } of STATIONS.slice(0, scenario.stations)) {
    for (let epoch = 0; epoch < epochs; epoch++) {
      const timeMs = startMs + epoch * STEP_MS;
      const isDue = scenario.means(station, timeMs);
      for (const name of VARIABLES) {
        const isMeant = isDue && valueOf(station, name, timeMs) !== null;
        const mayFail =
          scenario.expected === "any" ||
          scenario.expected === "rows" ||
          (typeof scenario.expected === "function" && scenario.expected(station, timeMs));
        const isTold = told[name][station]![epoch] === 1;
        if (isMeant && exported[name][station]![epoch] === 0 && !(isTold && scenario.expected !== "rows")) lost++;
        if (isTold && !mayFail && (isMeant || timeMs % STEP_MS === 0)) wronglyFailed++;
      }
    }
  }
  return { compared, lost, invented, misnamed, wronglyFailed };
}
