import { scratchFolder } from "../support/folder.ts";
import { expect } from "vitest";
import type { VerdictCounts } from "#shared/job/verdict.ts";
import type { Bridge } from "#shared/bridge/contract.ts";
import { createBridgeClient } from "#shared/bridge/client.ts";
import type { BridgeEvents } from "#shared/bridge/events.ts";
import type { Job, JobViewState } from "#shared/bridge/methods/jobs.ts";
import { channelPair } from "#shared/bridge/transport/protocol.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { type App, createApp } from "#main/app.ts";
import { startDemo } from "#main/demo/index.ts";
import type { Desktop, SecretStore } from "#main/ports.ts";
import { type Clock, systemClock } from "#main/sync/clock.ts";
import { type RunningService, type ServiceOptions, startService } from "#service/index.ts";
import { atEnd } from "../support/atEnd.ts";
import { KEY, NOW_MS, ordinaryStations } from "../support/desk.ts";
import { valueOf } from "../support/valueOf.ts";

export { valueOf };

/** Acceleration of time for the application and the service. */
const SPEED = 200;

function fastClock(speed: number): Clock {
  const startMs = performance.now();
  const elapsedMs = (): number => (performance.now() - startMs) * speed;
  return {
    wallMs: () => Math.floor(NOW_MS + elapsedMs()),
    monotonicMs: elapsedMs,
    sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
  };
}

/** A window of the application, over the same bridge as a real one, with a real service. */
export interface TestWindow {
  readonly bridge: Bridge;
  readonly app: App;
}

export interface World {
  readonly service: RunningService;
  readonly folder: string;
  readonly secrets: Map<string, string>;
  readonly desktop: { notices: string[]; shares: (number | null)[] };
  readonly clock: Clock;
  /** The application in the folder, as after a (re)start. */
  open(): TestWindow;
  /** Starts a service with the clock of the application, on the port of the previous one. */
  serve(options?: ServiceOptions): Promise<RunningService>;
}

/**
 * Opens a world that is closed with the test.
 *
 * @param speed 1 for tests without waits, in which a busy computer must not skip hours
 */
export async function openWorld(
  options: ServiceOptions = {},
  more: Partial<Desktop> = {},
  speed = SPEED,
): Promise<World> {
  const clock = fastClock(speed);
  const folder = scratchFolder();
  const secrets = new Map<string, string>();
  const desktop = { notices: [] as string[], shares: [] as (number | null)[] };
  const apps: App[] = [];
  const services: RunningService[] = [];
  const serve = async (changes: ServiceOptions = {}): Promise<RunningService> => {
    const port = services.at(-1)?.port ?? 0;
    const service = await startService({
      now: () => clock.wallMs(),
      organizations: [{ key: KEY, name: "test", owner: "aurora", maxPoints: 100_000, maxConcurrent: 8 }],
      ...options,
      ...changes,
      port,
    });
    services.push(service);
    return service;
  };
  await serve();
  atEnd(async () => {
    for (const app of apps) await app.close().catch(() => undefined);
    for (const service of services) await service.close().catch(() => undefined);
  });
  return {
    get service() {
      return services.at(-1)!;
    },
    folder,
    secrets,
    desktop,
    clock,
    serve,
    open() {
      const app = createApp({
        dataFolder: folder,
        startDemo,
        clock,
        secrets: secretStore(secrets),
        desktop: {
          capabilities: {
            shell: "test",
            fileDialogs: false,
            openFiles: "none",
            downloads: true,
            showInFolder: false,
            openExternal: false,
            notifications: true,
            newWindow: false,
          },
          components: [],
          chooseSaveFile: async ({ suggestedName }) => suggestedName,
          notify: (title, text) => void desktop.notices.push(`${title}: ${text}`),
          showProgress: (share) => void desktop.shares.push(share),
          downloadHref: (id, name) => `/exports/${id}/${encodeURIComponent(name)}`,
          ...more,
        },
      });
      apps.push(app);
      const { bridge, attach } = createBridgeClient();
      const { window, core } = channelPair();
      app.serve(core, null);
      attach(window);
      return { bridge, app };
    },
  };
}

/** A world, and a window in it that has opened a connection to its service. */
export async function connectedWorld(...options: Parameters<typeof openWorld>) {
  const world = await openWorld(...options);
  const window = world.open();
  return { world, window, ...window, connectionId: await connect(world, window) };
}

/** Chooses the file in the dialog of the system; the dialog of this desktop returns the suggested name. */
export async function chosenFile({ bridge }: TestWindow, path: string): Promise<{ kind: "file"; path: string }> {
  const chosen = valueOf(await bridge.system.chooseSaveFile({ suggestedName: path, extensions: [] }));
  return { kind: "file", path: chosen! };
}

export function secretStore(kept: Map<string, string>): SecretStore {
  return {
    get: async (id) => kept.get(id) ?? null,
    set: async (id, key) => void kept.set(id, key),
    delete: async (id) => void kept.delete(id),
    protection: async () => "protected",
  };
}

/** Adds and opens a connection to the world's service, like a window. */
export async function connect({ service }: World, { bridge }: TestWindow, apiKey = KEY): Promise<string> {
  const input = { name: "Main", baseUrl: service.url, apiKey, remember: true };
  const { id } = valueOf(await bridge.connections.add(input));
  valueOf(await bridge.connections.open({ connectionId: id }));
  return id;
}

/** Stations that send every 30 s until now. */
export function ordinary({ service }: World, n: number): string[] {
  return ordinaryStations(service, n).map((s) => s.id);
}

export function specFor(world: World, n: number, change: Partial<JobSpec> = {}): JobSpec {
  return {
    stationIds: ordinary(world, n),
    variables: ["ztd", "pwv"],
    range: { startMs: Date.UTC(2026, 8, 1), endMs: Date.UTC(2026, 8, 3) },
    intervalSeconds: null,
    raw: false,
    ...change,
  };
}

/** Waits for a matching event after this call. */
export function event<Name extends keyof BridgeEvents>(
  { bridge }: TestWindow,
  name: Name,
  fits: (data: BridgeEvents[Name]) => boolean,
): Promise<BridgeEvents[Name]> {
  return new Promise((resolve) => {
    const stop = bridge.on(name, (data) => {
      if (!fits(data)) return;
      stop();
      resolve(data);
    });
  });
}

/** Waits until a job is in a state and, if given, fulfils a condition. */
export async function jobIn(
  window: TestWindow,
  jobId: string,
  state: JobViewState,
  fits: (job: Job) => boolean = () => true,
): Promise<Job> {
  const matches = (job: Job): boolean => job.id === jobId && job.state === state && fits(job);
  const changed = event(window, "jobChanged", matches);
  const now = valueOf(await window.bridge.jobs.list({})).find(matches);
  return now ?? changed;
}

/** Downloads these data, and returns the finished job. */
export async function download(window: TestWindow, connectionId: string, spec: JobSpec): Promise<Job> {
  const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec, keepUp: false }));
  return jobIn(window, id, "finished");
}

/** Points of time series that the service returned since its statistics were reset. */
export function pointsAnswered({ service }: World): number {
  return service.stats.log
    .filter((r) => r.endpoint === "query" && r.status === 200)
    .reduce((sum, r) => sum + (r.points ?? 0), 0);
}

/** Whether everything was requested and answered; what is absent may be confirmed or not. */
export function isDownloaded(counts: VerdictCounts | null): boolean {
  return counts !== null && Object.keys(counts).every((state) => ["ok", "partial", "stale"].includes(state));
}

/** Expects these points, and a few more that ask once more about what was missing. */
export function expectPoints(answered: number, planned: number): void {
  expect([answered >= planned, answered < planned * 1.05 + 500]).toEqual([true, true]);
}
