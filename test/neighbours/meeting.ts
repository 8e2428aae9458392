import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { asProcess, type Ended, inProcess, type Zenith } from "../hostile/commands.ts";
import { DAY_MS, START_MS } from "../hostile/meant.ts";
import { answerOf, type Behaviour, type HostileService, startHostile } from "../hostile/server.ts";
import {
  COMMANDS,
  connectTo,
  DAYS,
  exportTo,
  FETCH,
  FILES,
  FORGETTING,
  NAMES,
  type Place,
  STATION_COUNT,
  WINDOW,
} from "./commands.ts";
import { type Compared, compareCsv } from "./rows.ts";

/** How a program of a meeting ended. */
export interface EndedProgram extends Ended {
  readonly name: string;
}

/** The state of a data folder after several programs used it. */
export interface Meeting {
  readonly names: readonly string[];
  /** Rows at the end, after one more fetch. */
  readonly compared: Compared;
  /** Time until that fetch ended. */
  readonly recoveryMs: number;
  /** Violated expectations. */
  readonly faults: readonly string[];
  readonly ended: readonly EndedProgram[];
}

export interface Neighbourhood {
  /**
   * Starts programs at nearly the same time on a copy of a data folder with the first of two days, and checks it
   * afterwards. */
  meet(names: readonly string[], delays: readonly number[], run?: RunProgram): Promise<Meeting>;
  /** Runs `work` on a copy of the data folder, and checks it afterwards. */
  after(names: readonly string[], work: (place: Place) => Promise<readonly EndedProgram[]>): Promise<Meeting>;
  close(): Promise<void>;
}

/** Runs a command of a place. */
export type RunProgram = (place: Place, name: string) => Promise<Ended>;

/** Text that no message may contain. */
const RAW =
  /SQLITE_|SqliteError|^\s+at .+:\d+|The store failed|\bE[A-Z]{2,}: |TypeError|RangeError|undefined|\[object/m;
/** Success, usage (for example, a missing name), incomplete, no key, disk. */
const CODES = new Set([0, 2, 3, 4, 6]);
const LEFTOVER = /unfinished|zenith-part|zenith-old|damaged/;
const WINDOW_SCRIPT = join(import.meta.dirname, "windowChild.ts");
const WINDOW_MS = 600;
const SMALL_POINTS = 1_500;

export const asPrograms: RunProgram = (place, name) =>
  name === WINDOW ? windowProgram(place) : asProcess(place.data, COMMANDS[name]!(place));

/** Runs commands in this process: locks distinguish connections, and no program has to start. */
export const asCalls: RunProgram = (place, name) => inProcess(place.data, COMMANDS[name]!(place));

function windowProgram({ data }: Place): Promise<Ended> {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", WINDOW_SCRIPT, data, String(WINDOW_MS)],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout: "", stderr }));
  });
}

/** A slow service with a low limit, so that programs overlap. */
function slow(requested: number[]): Behaviour {
  return {
    series(query) {
      if (query.points > SMALL_POINTS) return { status: 413, body: `{"error":"limit ${SMALL_POINTS} data points"}` };
      requested.push(query.startMs);
      return { ...answerOf(query.rows()), send: (response, body) => void setTimeout(() => response.end(body), 25) };
    },
  };
}

export async function openNeighbourhood(zenith: Zenith = inProcess): Promise<Neighbourhood> {
  const root = mkdtempSync(join(tmpdir(), "zenith-neighbours-"));
  const requested: number[] = [];
  const service = await startHostile(slow(requested));
  let template = { folder: "", preparedMs: -Infinity };
  let count = 0;

  /** After some minutes, a fetch asks once more about absences, which must not count as data requested again. */
  async function youngTemplate(): Promise<string> {
    if (performance.now() - template.preparedMs > 120_000) {
      template = { folder: join(root, `template-${count}`), preparedMs: performance.now() };
      await prepare(template.folder, service, zenith);
    }
    return template.folder;
  }

  async function after(
    names: readonly string[],
    work: (place: Place) => Promise<readonly EndedProgram[]>,
  ): Promise<Meeting> {
    const folder = join(root, String(count++));
    cpSync(await youngTemplate(), folder, { recursive: true });
    const place: Place = { folder, data: join(folder, "data"), serviceUrl: service.url, nth: 0 };
    try {
      const ended = await work(place);
      return await judge(place, names, ended, { zenith, requested });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  return {
    meet: (names, delays, run = asPrograms) =>
      after(names, (place) =>
        Promise.all(
          names.map(async (name, nth) => {
            await delay(delays[nth] ?? 0);
            return { name, ...(await run({ ...place, nth }, name)) };
          }),
        ),
      ),
    after,
    async close() {
      await service.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A connection with one of two days, a session file of it, and a cache without a connection. */
async function prepare(folder: string, { url }: HostileService, zenith: Zenith): Promise<void> {
  const place: Place = { folder, data: join(folder, "data"), serviceUrl: url, nth: 0 };
  mkdirSync(place.data, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, FILES.key), "hostile-key\n", { mode: 0o600 });
  const firstDay = [new Date(START_MS).toISOString(), new Date(START_MS + DAY_MS).toISOString()] as const;
  const range = ["--from", firstDay[0], "--to", firstDay[1]];
  const session = join(folder, FILES.session);
  const steps = [
    connectTo(place),
    ["fetch", ...NAMES, ...range],
    ["session", "save", session, "--stations", ...NAMES, ...range],
    connectTo(place, "orphan"),
    ["fetch", NAMES[0]!, ...range, "--connection", "orphan"],
  ];
  for (const words of steps) {
    const { code, stderr } = await zenith(place.data, words);
    if (code !== 0) throw new Error(`${words[0]}: ${stderr}`);
  }
  const orphan = await zenith(place.data, ["cache", "path", "--connection", "orphan"]);
  const kept = join(folder, FILES.orphan);
  cpSync(orphan.stdout.trim(), kept);
  await zenith(place.data, ["connect", "--remove", "orphan"]);
  cpSync(kept, join(place.data, FILES.orphan));
}

interface Judging {
  readonly zenith: Zenith;
  readonly requested: number[];
}

/** Downloads missing data, and compares all data with the service. */
async function judge(
  place: Place,
  names: readonly string[],
  ended: readonly EndedProgram[],
  { zenith, requested }: Judging,
): Promise<Meeting> {
  const faults = ended.flatMap(faultsOf);
  const runCommand = (...words: readonly string[]): Promise<Ended> => zenith(place.data, words);
  const startedMs = performance.now();
  requested.length = 0;
  let last = await runCommand(...FETCH);
  if (last.code !== 0 && names.includes("connect --remove")) {
    const again = await runCommand(...connectTo(place));
    if (again.code !== 0) faults.push(`connect afterwards: ${again.stderr}`);
    last = await runCommand(...FETCH);
  }
  if (last.code !== 0) faults.push(`fetch afterwards: exit code ${last.code}: ${last.stderr}`);
  const recoveryMs = performance.now() - startedMs;
  if (!names.some((name) => FORGETTING.has(name))) {
    const isFetched = ended.some((m) => m.code === 0 && (m.name === "fetch" || m.name === "export --fetch"));
    const again = requested.filter((startMs) => isFetched || startMs < START_MS + DAY_MS).length;
    if (again > 0) faults.push(`cached data was requested again: ${again} requests`);
  }
  const whole = join(place.folder, "whole.csv");
  const exported = await runCommand(...exportTo(whole));
  if (exported.code !== 0) faults.push(`export afterwards: ${exported.stderr}`);
  const compared = compareCsv(existsSync(whole) ? readFileSync(whole, "utf8") : "", STATION_COUNT, DAYS);
  const checked = await runCommand("cache", "check", "--connection", "main");
  if (checked.code !== 0) faults.push(`check afterwards: ${checked.stdout}${checked.stderr}`);
  for (const name of readdirSync(place.folder)) {
    if (!/^out-\d+\.csv$/.test(name)) continue;
    const found = compareCsv(readFileSync(join(place.folder, name), "utf8"), 0, 0);
    if (found.invented + found.misnamed > 0) faults.push(`${name}: ${JSON.stringify(found)}`);
  }
  const left = readdirSync(place.folder, { recursive: true, encoding: "utf8" }).filter((name) => LEFTOVER.test(name));
  if (left.length > 0) faults.push(`left over: ${left.join(", ")}`);
  if (compared.lost + compared.invented + compared.misnamed > 0) faults.push(JSON.stringify(compared));
  return { names, compared, recoveryMs, faults, ended };
}

function faultsOf({ name, code, stdout, stderr }: EndedProgram): string[] {
  const output = `${stdout}${stderr}`;
  const faults: string[] = [];
  if (code === null || !CODES.has(code)) faults.push(`${name}: exit code ${code}: ${stderr}`);
  if (code !== 0 && output.trim() === "") faults.push(`${name}: exit code ${code} without a word`);
  if (RAW.test(stderr)) faults.push(`${name}: a raw error: ${stderr}`);
  return faults;
}
