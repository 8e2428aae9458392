import { expect } from "vitest";
import type { Bridge } from "#shared/bridge/contract.ts";
import type { Job, JobViewState } from "#shared/bridge/methods/jobs.ts";
import type { AppFault } from "#shared/fault.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { Result } from "#shared/service/error.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import type { RunningService } from "#service/index.ts";
import { KEY } from "../../support/desk.ts";

/** What a case works with. */
export interface World {
  readonly bridge: Bridge;
  /** The data folder of the application. */
  readonly folder: string;
  /** A reference service that takes `KEY`. */
  readonly service: RunningService;
  /** Takes connections and never answers. */
  readonly silentUrl: string;
}

export type Cases<Method extends string> = Readonly<Record<Method, (world: World) => Promise<void>>>;

export function valueOf<T>(answer: Result<T, AppFault>): T {
  if (!answer.ok) throw new Error(`${answer.error.kind}: ${answer.error.message} ${answer.error.cause ?? ""}`);
  return answer.value;
}

export function faultOf(answer: Result<unknown, AppFault>): AppFault {
  if (answer.ok) throw new Error("a fault was expected");
  expect(answer.error.message).toMatch(/^\S.*[.”"]$/s);
  return answer.error;
}

const LIVE = "Live service";

/** Id of a connection to the world's service, its catalogue fetched; made with the first call. */
export async function connectService({ bridge, service }: World): Promise<string> {
  const known = valueOf(await bridge.connections.list({})).find((c) => c.name === LIVE);
  if (known) return known.id;
  const input = { name: LIVE, baseUrl: service.url, apiKey: KEY, remember: false };
  const { id } = valueOf(await bridge.connections.add(input));
  valueOf(await bridge.connections.open({ connectionId: id }));
  valueOf(await bridge.catalogue.refresh({ connectionId: id }));
  return id;
}

/** Ids of stations of the world's service that send every 30 s and still do. */
export function ordinaryStations({ service }: World, n: number): string[] {
  return service.world.stations
    .filter((s) => s.resolutionSeconds === 30 && s.firstDataMs !== null && s.lastDataMs === null)
    .slice(0, n)
    .map((s) => s.id);
}

// Of the weeks before it, the first ordinary station observed all through these hours: on other days it may have been out.
const SMALL_MS = Date.UTC(2026, 9, 12, 10);

/** Two hours of ztd of one station, all rows of which are there; `dayOffset` 0 to 20, for hours that no one else asks for. */
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
    bridge.jobs.list({}).then((answer) => look(valueOf(answer).find((job) => job.id === jobId)), reject);
  });
}
