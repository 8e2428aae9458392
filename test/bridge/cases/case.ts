import { expect } from "vitest";
import type { Bridge } from "#shared/bridge/contract.ts";
import type { Job, JobViewState } from "#shared/bridge/methods/jobs.ts";
import type { AppFault } from "#shared/fault.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { Result } from "#shared/service/error.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import type { RunningService } from "#service/index.ts";
import { KEY } from "../../support/desk.ts";
import { valueOf } from "../../support/valueOf.ts";

export { valueOf };

/** The environment of a case. */
export interface World {
  readonly bridge: Bridge;
  /** The data folder of the application. */
  readonly folder: string;
  /** A reference service with `KEY`. */
  readonly service: RunningService;
  /** Accepts connections and never responds. */
  readonly silentUrl: string;
}

export type Cases<Method extends string> = Readonly<Record<Method, (world: World) => Promise<void>>>;

export function faultOf(result: Result<unknown, AppFault>): AppFault {
  if (result.ok) throw new Error("a fault was expected");
  expect(result.error.message).toMatch(/^\S.*[.”"]$/s);
  return result.error;
}

const LIVE = "Live service";

/** Returns the id of a connection to the world's service with its catalogue; the first call adds it. */
export async function connectService({ bridge, service }: World): Promise<string> {
  const known = valueOf(await bridge.connections.list({})).find((c) => c.name === LIVE);
  if (known) return known.id;
  const input = { name: LIVE, baseUrl: service.url, apiKey: KEY, remember: false };
  const { id } = valueOf(await bridge.connections.add(input));
  valueOf(await bridge.connections.open({ connectionId: id }));
  valueOf(await bridge.catalogue.refresh({ connectionId: id }));
  return id;
}

/** Ids of stations that send every 30 s until now. */
export function ordinaryStations({ service }: World, n: number): string[] {
  return service.world.stations
    .filter((s) => s.resolutionSeconds === 30 && s.firstDataMs !== null && s.lastDataMs === null)
    .slice(0, n)
    .map((s) => s.id);
}

// In these hours, and on these hours of earlier days, the first ordinary station has no outage.
const SMALL_MS = Date.UTC(2026, 9, 12, 10);

/** Two complete hours of ZTD of one station; `dayOffset` 0 to 20 selects hours that no other case requests. */
export function smallSpec(world: World, dayOffset = 0): JobSpec {
  const startMs = SMALL_MS - dayOffset * DAY_MS;
  return {
    stationIds: ordinaryStations(world, 1),
    variables: ["ztd"],
    range: { startMs, endMs: startMs + 2 * HOUR_MS },
    intervalSeconds: null,
    raw: false,
  };
}

/** Waits until a job is in one of the states. */
export async function jobIn({ bridge }: World, jobId: string, states: readonly JobViewState[]): Promise<Job> {
  return new Promise((resolve, reject) => {
    const look = (job: Job | undefined): void => {
      if (!job || job.id !== jobId || !states.includes(job.state)) return;
      stop();
      resolve(job);
    };
    const stop = bridge.on("jobChanged", look);
    bridge.jobs.list({}).then((result) => look(valueOf(result).find((job) => job.id === jobId)), reject);
  });
}
