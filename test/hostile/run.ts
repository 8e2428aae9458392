import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, STATIONS, STEP_MS, VARIABLES, valueOf, type Variable } from "./meant.ts";
import { type Ended, inEnvironment, type Zenith } from "./commands.ts";
import { readExport } from "./exported.ts";
import type { Scenario } from "./scenario.ts";
import { startHostile } from "./server.ts";

/** The result of a scenario, counted in rows of one station and epoch. */
export interface Outcome {
  readonly name: string;
  /** Exported rows, each compared with the formula. */
  readonly compared: number;
  /** Values of the service that are not exported and that `gaps` does not report as failed. */
  readonly lost: number;
  /** Exported values that the service does not have. */
  readonly invented: number;
  /** Exported values of another station. */
  readonly misnamed: number;
  /** Epochs that `gaps` reports as failed although the scenario allows no failure there. */
  readonly wronglyFailed: number;
  /** Exit code of the first fetch. */
  readonly exitCode: number | null;
  readonly requests: number;
  /** Time series requests of the second fetch. */
  readonly requestsAgain: number;
  readonly seconds: number;
  /** Other deviations from the expected behaviour, as messages. */
  readonly faults: readonly string[];
  /** stdout and stderr of the first fetch. */
  readonly output: string;
}

/** Runs a scenario with the real command line: connect, fetch, fetch again, export, gaps. */
export async function runScenario(scenario: Scenario, zenith: Zenith): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "zenith-hostile-"));
  const service = await startHostile({});
  const run = Object.keys(scenario.environment).length > 0 ? inEnvironment(scenario.environment) : zenith;
  const command = (...words: readonly string[]): Promise<Ended> =>
    run(join(folder, "data"), [...scenario.words, ...words]);
  try {
    const keyFile = join(folder, "key");
    writeFileSync(keyFile, "hostile-key\n", { mode: 0o600 });
    const connected = await command("connect", service.url, "--name", "hostile", "--key-file", keyFile);
    if (connected.code !== 0) throw new Error(`connect: ${connected.stderr}`);
    if (scenario.hasOldCatalogue) await command("stations", "--refresh");
    service.become(scenario.behaviour());
    if (scenario.hasOldCatalogue) await command("stations", "--refresh");
    const range = ["--from", new Date(scenario.startMs).toISOString(), "--to", new Date(endOf(scenario)).toISOString()];
    const names = STATIONS.slice(0, scenario.stations).map((s) => s.name);
    const before = service.counts.series + service.counts.others;
    const startedAt = performance.now();
    const fetched = await command("fetch", ...names, ...range);
    const seconds = (performance.now() - startedAt) / 1000;
    const requests = service.counts.series + service.counts.others - before;
    const seriesBefore = service.counts.series;
    const again = await command("fetch", ...names, ...range);
    const requestsAgain = service.counts.series - seriesBefore;
    const csv = join(folder, "out.csv");
    const exported = await command("export", ...names, ...range, "--format", "csv", "--out", csv, "--allow-incomplete");
    const gaps = await command("gaps", ...names, ...range, "--csv", "--min", "1s", "--vars", VARIABLES.join(","));
    const compared = compare(scenario, exported.code === 0 ? readFileSync(csv, "utf8") : "", gaps.stdout);
    const faults: string[] = [];
    const { expected } = scenario;
    if ((expected === "all" || expected === "later" || expected === "rows") && fetched.code !== 0)
      faults.push(`exit code ${fetched.code}`);
    if (expected === "all" && requestsAgain > 0)
      faults.push(`requested again: ${requestsAgain} requests (exit ${again.code})`);
    if (compared.compared > 0 && /Everything was cached|[Nn]othing is missing/.test(fetched.stdout + fetched.stderr))
      faults.push("reports that everything was cached");
    if (typeof expected === "function" && fetched.code !== 3) faults.push(`exit code ${fetched.code} instead of 3`);
    if (requests > scenario.mostRequests)
      faults.push(`${requests} requests instead of at most ${scenario.mostRequests}`);
    if (requestsAgain > scenario.mostRequests) faults.push(`requested again: ${requestsAgain} requests`);
    if (/^\s+at .+:\d+:\d+/m.test(fetched.stderr)) faults.push("prints a stack trace");
    if (scenario.prints?.test(`${fetched.stdout}${fetched.stderr}`) === false)
      faults.push(`does not print ${scenario.prints}`);
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
      output: `${fetched.stdout}${fetched.stderr}`,
    };
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether no value was lost, invented, misnamed or wrongly reported as failed, without other faults. */
export function isSound(outcome: Outcome): boolean {
  const { lost, invented, misnamed, wronglyFailed, faults } = outcome;
  return lost + invented + misnamed + wronglyFailed === 0 && faults.length === 0;
}

function endOf(scenario: Scenario): number {
  return scenario.startMs + scenario.days * DAY_MS;
}

/** Causes of gaps that are not final: the cell may have data. */
const UNCERTAIN = new Set(["failed", "notRequested", "mayStillArrive", "forbidden"]);

function compare(scenario: Scenario, csv: string, gapsCsv: string) {
  const { startMs, expected } = scenario;
  const endMs = endOf(scenario);
  const epochs = (endMs - startMs) / STEP_MS;
  const isInRange = (timeMs: number): boolean => timeMs >= startMs && timeMs < endMs;
  const exported = readExport(csv, (station, timeMs) => isInRange(timeMs) && scenario.means(station, timeMs));
  /** By station and epoch, for one variable: 1 marks an epoch, 2 one that is unconfirmed, so that it is asked again. */
  const marks = (): Uint8Array[] => STATIONS.map(() => new Uint8Array(epochs));
  const uncertain: Record<Variable, Uint8Array[]> = { ztd: marks(), ztd_sigma: marks(), pwv: marks() };
  for (const line of gapsCsv.trim().split(/\r?\n/).slice(1)) {
    const [id, , name, cause = "", start = "", end = ""] = line.split(",");
    const station = STATIONS.findIndex((s) => s.id === id);
    if (station < 0 || !UNCERTAIN.has(cause)) continue;
    const [from, to] = [start, end].map((at) => Math.ceil((Date.parse(at) - startMs) / STEP_MS)) as [number, number];
    uncertain[name as Variable][station]!.fill(
      cause === "mayStillArrive" ? 2 : 1,
      Math.max(0, from),
      Math.min(epochs, to),
    );
  }
  let lost = 0;
  let wronglyFailed = 0;
  for (const { index: station } of STATIONS.slice(0, scenario.stations)) {
    for (let epoch = 0; epoch < epochs; epoch++) {
      const timeMs = startMs + epoch * STEP_MS;
      const isDue = scenario.means(station, timeMs);
      const mayFail =
        expected === "any" || expected === "rows" || (typeof expected === "function" && expected(station, timeMs));
      for (const name of VARIABLES) {
        const isMeant = isDue && valueOf(station, name, timeMs) !== null;
        const mark = uncertain[name][station]![epoch]!;
        if (isMeant && !exported.has(station, name, timeMs) && !(mark > 0 && expected !== "rows")) lost++;
        if (mark === 1 && !mayFail && (isMeant || timeMs % STEP_MS === 0)) wronglyFailed++;
      }
    }
  }
  return { compared: exported.rows, lost, invented: exported.invented, misnamed: exported.misnamed, wronglyFailed };
}
