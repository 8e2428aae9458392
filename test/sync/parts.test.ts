import * as fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { runJob } from "#main/sync/job.ts";
import { seriesVerdicts } from "#main/sync/verdicts.ts";
import { type JobSpec, jobRanges } from "#shared/job/job.ts";
import { alignOutward } from "#shared/time/range.ts";
import { rangeSet, totalMs } from "#shared/time/rangeset.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { type Desk, never, openDesk } from "../support/desk.ts";

let desk: Desk;
afterEach(() => desk.close());

const START_MS = Date.UTC(2026, 8, 1);
const at = (fromHour: number, toHour: number) => ({
  startMs: START_MS + fromHour * HOUR_MS,
  endMs: START_MS + toHour * HOUR_MS,
});

function specOf(d: Desk, change: Partial<JobSpec> = {}): JobSpec {
  const [one, two, three] = d.stations(3) as [string, string, string];
  return {
    stationIds: [one, two, three],
    variables: ["ztd", "pwv"],
    range: at(0, 48),
    intervalSeconds: null,
    raw: true,
    only: [
      { stationId: one, ranges: [at(30, 31), at(2, 3)] },
      { stationId: two, ranges: [at(2, 3)] },
    ],
    ...change,
  };
}

/** The requests that the service received. */
function requestsOf(d: Desk) {
  const queries = d.service.stats.log.flatMap(({ query }) => query ?? []);
  return queries
    .map(({ stationIds, startMs, endMs, raw }) => ({ stationIds: stationIds.toSorted(), startMs, endMs, raw }))
    .toSorted((a, b) => a.startMs - b.startMs);
}

it("requests only the parts of a job, with verdicts for only these", async () => {
  desk = await openDesk();
  const spec = specOf(desk);
  const [one, two] = spec.stationIds as [string, string];
  const outcome = await runJob(desk.session, spec, { signal: never });
  expect(outcome).toMatchObject({ state: "finished", progress: { pointsTotal: 3 * 120 } });
  expect(requestsOf(desk)).toEqual([
    { stationIds: [one, two].toSorted(), ...at(2, 3), raw: true },
    { stationIds: [one], ...at(30, 31), raw: true },
  ]);
  const judged = [...seriesVerdicts(desk.session, spec, outcome)].flat().filter((v) => v.variable === "ztd");
  expect(judged.map(({ stationId, range }) => ({ stationId, range }))).toEqual([
    { stationId: one, range: at(2, 3) },
    { stationId: one, range: at(30, 31) },
    { stationId: two, range: at(2, 3) },
  ]);
  await runJob(desk.session, spec, { signal: never });
  expect(requestsOf(desk)).toHaveLength(2);
});

it("requests whole intervals around each part", async () => {
  desk = await openDesk();
  const [id] = desk.stations(1) as [string];
  const part = { startMs: START_MS + 70 * MINUTE_MS, endMs: START_MS + 100 * MINUTE_MS };
  const spec = specOf(desk, { stationIds: [id], intervalSeconds: 3_600, only: [{ stationId: id, ranges: [part] }] });
  await runJob(desk.session, spec, { signal: never });
  expect(requestsOf(desk)).toEqual([{ stationIds: [id], ...at(1, 2), raw: true }]);
});

it("requests nothing outside of its range for any parts", async () => {
  desk = await openDesk();
  const range = at(0, 48);
  const hours = fc.tuple(fc.integer({ min: -9, max: 60 }), fc.integer({ min: 1, max: 9 }));
  const parts = fc.array(hours.map(([from, length]) => at(from, from + length)));
  fc.assert(
    fc.property(parts, fc.constantFrom(null, 3_600, 7_000), (ranges, intervalSeconds) => {
      const found = jobRanges({ range, intervalSeconds, only: [{ stationId: "a", ranges }] }, "a");
      expect(rangeSet(found)).toEqual(found);
      const most = intervalSeconds === null ? range : alignOutward(range, intervalSeconds);
      for (const { startMs, endMs } of found) {
        expect(startMs).toBeGreaterThanOrEqual(most.startMs);
        expect(endMs).toBeLessThanOrEqual(most.endMs);
      }
      const whole = totalMs(jobRanges({ range, intervalSeconds }, "a"));
      expect(whole).toBe(most.endMs - most.startMs);
      expect(jobRanges({ range, intervalSeconds, only: [] }, "a")).toEqual([]);
    }),
  );
});
