import { expect, it } from "vitest";
import type { JobRecord } from "#main/store/user/types.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { failuresOf, knownFailures } from "#main/app/reading/failures.ts";
import type { Verdict, VerdictCounts, VerdictState } from "#shared/job/verdict.ts";

const range = { startMs: 0, endMs: 10 };
const verdict = (stationId: string, state: VerdictState, part = range): Verdict => ({
  stationId,
  variable: "ztd",
  range: part,
  state,
  rows: 0,
  reason: null,
});

const job = (
  id: string,
  updatedAtMs: number,
  counts: VerdictCounts | null,
  change: Partial<JobSpec> = {},
): JobRecord => ({
  id,
  connectionId: "x",
  spec: {
    stationIds: ["a"],
    variables: ["ztd"],
    range,
    intervalSeconds: null,
    raw: false,
    ...change,
  },
  state: "finished",
  reason: null,
  createdAtMs: 0,
  updatedAtMs,
  counters: null,
  verdictCounts: counts,
  keepUp: false,
  nextRunMs: null,
});

it("the latest job with a station determines whether it is forbidden; failures of all jobs are merged", () => {
  const known = failuresOf([
    [verdict("a", "ok"), verdict("b", "failed")],
    [verdict("a", "forbidden"), verdict("b", "failed", { startMs: 10, endMs: 20 }), verdict("c", "forbidden")],
  ]);
  expect(["a", "b", "c", "d"].map((id) => known.isForbidden(id))).toEqual([false, false, true, false]);
  expect(known.failed("b", "ztd")).toEqual([{ startMs: 0, endMs: 20 }]);
  expect(known.failed("b", "pwv")).toEqual([]);
});

it("only jobs of the connection and mode count, and verdicts are read only for jobs with failures", () => {
  const read: string[] = [];
  const refused = { forbidden: 1 };
  const jobs = [
    job("old", 1, refused),
    job("good", 2, { ok: 1 }),
    job("raw", 3, refused, { raw: true }),
    job("unfinished", 4, null),
    { ...job("elsewhere", 5, refused), connectionId: "y" },
  ];
  const users = {
    jobs: () => jobs,
    verdicts: (id: string) => {
      read.push(id);
      return [verdict("a", "forbidden")];
    },
  };
  const of = (raw: boolean) => knownFailures(users, "x", { intervalSeconds: null, raw }).isForbidden("a");
  expect([of(false), of(true)]).toEqual([false, true]);
  expect(read).toEqual(["old", "raw"]);
});
