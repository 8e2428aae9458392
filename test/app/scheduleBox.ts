import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished } from "vitest";
import { type App, createApp } from "#main/app.ts";
import { ScheduleStore } from "#main/app/schedules/scheduleStore.ts";
import { endFault } from "#main/app/schedules/download.ts";
import type { ScheduleRunOptions } from "#main/app/schedules/delivery.ts";
import { createTransport } from "#main/client/index.ts";
import type { Transport, TransportResponse } from "#main/client/types.ts";
import { startDemo } from "#main/demo/index.ts";
import { openUserStore } from "#main/store/index.ts";
import { type RunningService, startService } from "#service/index.ts";
import type { LedgerRange } from "#shared/schedule/ledger.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import type { Schedule } from "#shared/schedule/schedule.ts";
import { nextTime } from "#shared/schedule/when.ts";
import type { Variable } from "#shared/service/variables.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { KEY, ordinaryStations } from "../support/desk.ts";
import { leapingClock } from "../sync/leapingClock.ts";
import { scheduleOf } from "./scheduleOf.ts";
import { secretStore, valueOf } from "./window.ts";

export const TIMER_MS = 15 * MINUTE_MS;

export function at(text: string): number {
  return Date.parse(`${text.replace(" ", "T")}${text.includes(" ") ? "" : "T00:00"}Z`);
}

/** A service and a data folder at a time that the test sets; the program starts and ends as a timer lets it. */
export interface Box {
  readonly service: RunningService;
  readonly folder: string;
  /** Where its schedule writes. */
  readonly out: string;
  readonly stationIds: readonly string[];
  time: number;
  /** The statuses that answer requests for measurements of these stations; by default none. */
  readonly refused: Map<string, number>;
  /** Variables without values in all responses; by default none. */
  readonly lacking: Set<Variable>;
  /** Requests for measurements, and for the catalogue. */
  readonly sent: { measurements: number; catalogue: number };
  /** How far the clock of the program, but not that of the service, is ahead. */
  aheadMs: number;
  /** Adds a schedule of the station. */
  add(change: Partial<Schedule>): Promise<string>;
  /** Changes its settings. */
  edit(change: Partial<Schedule>): Promise<void>;
  /** Starts the program, lets it run what is due, and ends it. @param during called before each file is written */
  wake(during?: (stop: () => void) => void): Promise<ScheduleRun | string>;
  /** Wakes as a timer of 15 minutes does, leaving out wakes at which nothing is due. */
  wakeUntil(untilMs: number): Promise<(ScheduleRun | string)[]>;
  ledger(): Promise<LedgerRange[]>;
  /** Downloads everything of a time that is missing, as a user does by hand. */
  recheck(startMs: number, endMs: number, variables: Schedule["variables"]): Promise<void>;
  stopService(): Promise<void>;
  startService(): Promise<void>;
  /** Rows of a single export of these days by a fresh data folder. */
  exported(startMs: number, endMs: number, variables?: Schedule["variables"]): Promise<string[]>;
}

export async function openBox(startMs: number, stations = 1): Promise<Box> {
  const folder = mkdtempSync(join(tmpdir(), "zenith-box-"));
  const out = join(folder, "home", "scheduled", "Morning");
  const secrets = new Map<string, string>();
  let service: RunningService;
  let underWay = 0;
  const refused = new Map<string, number>();
  const lacking = new Set<Variable>();
  const sent = { measurements: 0, catalogue: 0 };
  const network = createTransport();
  const transport: Transport = async (request) => {
    sent[request.method === "POST" ? "measurements" : "catalogue"]++;
    const status = [...refused].find(([id]) => request.body?.includes(id))?.[1];
    if (status !== undefined) return { status, headers: {}, body: Readable.from([Buffer.from('{"error":"no"}')]) };
    underWay++;
    try {
      const { body, ...head } = await network.send(request);
      const pieces: Uint8Array[] = [];
      for await (const piece of body) pieces.push(piece);
      return lacking.size === 0 ? { ...head, body: Readable.from(pieces) } : withoutValues(head, pieces, lacking);
    } finally {
      underWay--;
    }
  };
  const leaping = leapingClock(() => underWay > 0, 0);
  let set = { ms: startMs, atMs: leaping.monotonicMs() };
  const now = (): number => set.ms + leaping.monotonicMs() - set.atMs;
  const setTime = (ms: number): void => void (set = { ms, atMs: leaping.monotonicMs() });
  const organizations = [{ key: KEY, name: "test", owner: "aurora", maxPoints: 1_000_000, maxConcurrent: 8 }];
  // Waits end at once, and time passes.
  const clock = { ...leaping, wallMs: () => now() + box.aheadMs };
  const serve = async (port = 0): Promise<void> => {
    service = await startService({ now, organizations, port });
  };
  await serve();
  const kept = ordinaryStations(service!, stations);
  const stationIds = kept.map((s) => s.id);
  const open = (dataFolder: string): App =>
    createApp({
      dataFolder,
      startDemo,
      clock,
      secrets: secretStore(secrets),
      transport,
      patience: { jobMs: 0, callMs: 0 },
    });
  const connectTo = async (app: App): Promise<string> => {
    const never = new AbortController().signal;
    return valueOf(await app.connections.add("Main", service.url, { apiKey: KEY, allowsPlainHttp: true }, never)).id;
  };
  let scheduleId = "";
  const home = join(folder, "home");
  const box: Box = {
    get service() {
      return service;
    },
    folder,
    out,
    refused,
    lacking,
    sent,
    stationIds,
    get time() {
      return now();
    },
    set time(value) {
      setTime(value);
    },
    aheadMs: 0,
    async add(change) {
      const app = open(home);
      const connectionId = await connectTo(app);
      const schedule = scheduleOf({ connectionId, stations: { kind: "list", stationIds }, ...change });
      scheduleId = valueOf(app.schedules.store.save(null, schedule, now())).id;
      await app.close();
      return scheduleId;
    },
    async edit(change) {
      const app = open(home);
      const { schedule } = app.schedules.store.find(scheduleId)!;
      valueOf(app.schedules.store.save(scheduleId, { ...schedule, ...change }, now()));
      await app.close();
    },
    async wake(during) {
      const app = open(home);
      const stop = new AbortController();
      try {
        const stored = app.schedules.store.find(scheduleId)!;
        const download: ScheduleRunOptions["download"] = async (connection, spec) => {
          const done = valueOf(await app.jobs.run(connection, spec, { signal: stop.signal }));
          const { state, reason, progress } = done.outcome;
          const fault = endFault(state, reason);
          return {
            jobId: done.id,
            rows: progress.rows,
            requests: progress.requestsSent,
            verdicts: done.verdicts,
            fault,
          };
        };
        const onStage = () => during?.(() => stop.abort("closing"));
        return await app.scheduleRunner.run(stored, true, { trigger: "time", signal: stop.signal, download, onStage });
      } finally {
        await app.close();
      }
    },
    async wakeUntil(untilMs) {
      const runs: (ScheduleRun | string)[] = [];
      for (;;) {
        const users = openUserStore(join(home, "user.db"));
        const store = new ScheduleStore(users);
        const stored = store.find(scheduleId)!;
        const tries = store.ledger.open(stored, now()).map(({ nextTryMs }) => nextTryMs ?? now());
        const nextMs = Math.max(now() + 1, Math.min(nextTime(stored.schedule.when, now()), ...tries));
        users.close();
        setTime(Math.min(untilMs, Math.ceil(nextMs / TIMER_MS) * TIMER_MS));
        if (now() === untilMs) break;
        runs.push(await box.wake());
      }
      return runs;
    },
    async ledger() {
      const app = open(home);
      const all = app.schedules.store.ledger.all(scheduleId);
      await app.close();
      return all;
    },
    async recheck(from, to, variables) {
      const app = open(home);
      const connection = await app.connections.open(
        app.connections.find(app.schedules.store.find(scheduleId)!.schedule.connectionId)!,
      );
      const range = { startMs: from, endMs: to };
      const spec = { stationIds, variables, range, intervalSeconds: null, raw: false };
      app.jobs.recheck(connection, spec);
      valueOf(await app.jobs.run(connection, spec, { signal: new AbortController().signal }));
      await app.close();
    },
    stopService: () => service.close(),
    startService: () => serve(service.port),
    async exported(from, to, variables = ["ztd"]) {
      const app = open(join(folder, `whole ${now()} ${from}`));
      const record = app.connections.find(await connectTo(app))!;
      const connection = await app.connections.open(record);
      const range = { startMs: from, endMs: to };
      const spec = { stationIds, variables, range, intervalSeconds: null, raw: false };
      const signal = new AbortController().signal;
      valueOf(await app.jobs.run(connection, spec, { signal }));
      const path = join(folder, "whole.csv");
      valueOf(
        await app.export(
          connection,
          { ...spec, resampled: false, format: "csv", heightReference: "WGS84_ELLIPSOID", path },
          { signal },
        ),
      );
      await app.close();
      return rowsOf([path]);
    },
  };
  onTestFinished(async () => {
    await service.close().catch(() => undefined);
    await network.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return box;
}

export function rowsOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => readFileSync(path, "utf8").trim().split(/\r?\n/).slice(1));
}

/** Compares many rows without printing all of them. */
export function expectSame(rows: readonly string[], expected: readonly string[]): void {
  expect([rows.length, rows.findIndex((row, i) => row !== expected[i])]).toEqual([expected.length, -1]);
}

export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".csv"))
    .toSorted();
}

export const CSV = {
  kind: "own",
  format: "csv",
  heightReference: "WGS84_ELLIPSOID",
  template: "{range}.{ext}",
} as const;

/** The response with null for every value of some variables. */
function withoutValues(
  { status, headers }: Pick<TransportResponse, "status" | "headers">,
  pieces: readonly Uint8Array[],
  lacking: ReadonlySet<Variable>,
): TransportResponse {
  const { "content-encoding": encoding, "content-length": _, ...others } = headers;
  const body = Buffer.concat(pieces);
  let text = (encoding === undefined ? body : gunzipSync(body)).toString();
  for (const variable of lacking)
    text = text.replaceAll(new RegExp(`"${variable}":[-\\d.e]+`, "g"), `"${variable}":null`);
  return { status, headers: others, body: Readable.from([Buffer.from(text)]) };
}
