import type { ConnectionRecord, JobRecord } from "#main/store/user/types.ts";
import type { Verdict } from "#shared/job/verdict.ts";

// Records of user.db, to be changed by the tests.

export const CONNECTION: ConnectionRecord = {
  id: "c1",
  name: "=Institut “Wetter”",
  baseUrl: "https://example.org/zenith",
  createdAtMs: 5,
  cacheFile: "cache-c1.db",
  kind: "service",
};

export const JOB: JobRecord = {
  id: "j1",
  connectionId: "c1",
  spec: { stationIds: ["a"], variables: ["ztd"], range: { startMs: 0, endMs: 1 }, intervalSeconds: null, raw: false },
  state: "running",
  reason: null,
  createdAtMs: 6,
  updatedAtMs: 7,
  counters: null,
  verdictCounts: null,
  keepUp: true,
  nextRunMs: 9,
};

export const VERDICT: Verdict = {
  stationId: "a",
  variable: "ztd",
  range: { startMs: 0, endMs: 1 },
  state: "ok",
  rows: 1,
  reason: null,
};
