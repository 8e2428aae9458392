import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { Jobs } from "#main/app/jobs/jobs.ts";
import { openUserStore } from "#main/store/index.ts";
import { stepSeconds } from "#main/analysis/requestedTimes.ts";
import { describeExport } from "#main/export/describe.ts";
import { epochSource } from "#main/sync/cadence.ts";
import { runJob } from "#main/sync/job.ts";
import { refreshCatalogue } from "#main/sync/catalogue.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { stationSchema } from "#shared/service/catalogue.ts";
import { epochSeconds, stationPoints } from "#shared/service/points.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { type Desk, never, openDesk } from "../support/desk.ts";

let desk: Desk;
afterEach(() => desk.close());

interface SidecarJson {
  readonly stations: readonly {
    readonly series: readonly { readonly values: number; readonly gap_seconds: Record<string, number> }[];
  }[];
}

const START_MS = Date.UTC(2026, 8, 1);

function native(seconds: number): string {
  return desk.service.world.stations.find((s) => s.resolutionSeconds === 0 && s.nativeSeconds === seconds)!.id;
}

function days(stationIds: string[], from: number, to: number, change: Partial<JobSpec> = {}): JobSpec {
  return {
    stationIds,
    variables: ["ztd"],
    range: { startMs: START_MS + from * DAY_MS, endMs: START_MS + to * DAY_MS },
    intervalSeconds: null,
    raw: true,
    ...change,
  };
}

describe("stations at the native rate of their receiver", () => {
  it.each([1, 5, 15])("are estimated by the cadence of their cached rows, every %i s", async (seconds) => {
    desk = await openDesk({ maxPoints: null });
    const id = native(seconds);
    await runJob(desk.session, days([id], 0, 1), { signal: never });
    const users = openUserStore(`${desk.folder}/user.db`);
    const connection = { session: desk.session, cache: desk.cache, record: { id: "c" } as never };
    const cost = new Jobs(users).estimate(connection, days([id], 1, 3), true);
    users.close();
    expect(cost.pointsToFetch).toBe((2 * 86_400) / seconds);
    // The step between rows does not count as a gap, and a gap not as the step.
    const station = desk.cache.station(id);
    expect(stepSeconds(epochSource(desk.cache, station), "ztd", null)).toBe(seconds);
    // Final rows are believed rather than the catalogue.
    const announced = { ...station!, resolutionSeconds: 60 };
    expect(stepSeconds(epochSource(desk.cache, announced), "ztd", null)).toBe(seconds);
    const request = {
      ...days([id], 0, 1),
      resampled: false,
      format: "csv",
      heightReference: "EGM2008",
      path: "",
    } as const;
    const selected = { stations: [station!], unknownStationIds: [] };
    const text = describeExport(desk.cache, request, selected, desk.origin).text({ run: "r", files: [] });
    const [described] = (JSON.parse(text) as SidecarJson).stations[0]!.series;
    const inGaps = Object.values(described!.gap_seconds).reduce((sum, s) => sum + s, 0);
    expect(described!.values * seconds + inGaps).toBe(86_400);
  });

  it("are downloaded completely if their cadence is unknown, with few rejected requests, for any count of points", async () => {
    desk = await openDesk({ maxPoints: 20_000 });
    const id = native(5);
    const job = days([id], 0, 10);
    const outcome = await runJob(desk.session, job, { signal: never });
    expect(outcome).toMatchObject({ state: "finished", failures: [] });
    const log = desk.service.stats.log.filter((r) => r.endpoint === "query");
    expect(log.filter((r) => r.status === 413).length).toBeLessThan(12);
    const { final } = desk.cache.coverage(id, "ztd", job);
    expect(final).toEqual([job.range]);
    // The cadence is known now, so no request is rejected.
    desk.service.resetStats();
    await runJob(desk.session, days([id], 10, 20), { signal: never });
    expect(desk.service.stats.log.filter((r) => r.status === 413)).toEqual([]);
  });
});

it("resolutions that no receiver has are clamped", async () => {
  desk = await openDesk();
  await refreshCatalogue(desk.session, never);
  const nonsense = fc.oneof(fc.double(), fc.constantFrom(1e9, -30, 1e-9, Number.NaN, Infinity, 0));
  fc.assert(
    fc.property(nonsense, (resolutionSeconds) => {
      const step = epochSeconds({ sourceType: "cors", resolutionSeconds });
      expect(Number.isInteger(step) && step >= 1 && step <= 86_400).toBe(true);
      const points = stationPoints({ startMs: START_MS, endMs: START_MS + 30 * DAY_MS }, step, null);
      expect(points).toBeGreaterThanOrEqual(30);
      const read = stationSchema.parse({ id: "x", resolution_seconds: resolutionSeconds }).resolutionSeconds;
      expect(read >= 0 && read <= 86_400).toBe(true);
    }),
  );
});
