import { describe, expect, it, test } from "vitest";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { JobProgress } from "#shared/job/job.ts";
import { stateWords } from "#renderer/features/jobs/labels.ts";
import { statusSentence } from "#renderer/features/shell/status.ts";
import { nameFor, problemsOf } from "#renderer/features/start/connectionInput.ts";
import { readWorkspace, type Workspace } from "#renderer/stores/workspace.ts";

function job(state: Job["state"], progress: Partial<JobProgress> | null = null): Job {
  return { id: state, connectionId: "c", state, progress } as Partial<Job> as Job;
}

const NOW_MS = Date.UTC(2026, 10, 28, 14);
const AT_REST = {
  lostReason: null,
  isFile: false,
  connectivity: { state: "online", pausedUntilMs: null },
  clocksDiffer: false,
  isRefreshing: false,
  jobs: [],
  exports: [],
  nowMs: NOW_MS,
} as const;

describe("the status sentence", () => {
  it("sums running jobs, with the remaining time of the longest", () => {
    const jobs = [
      job("running", { pointsDone: 1_000_000, pointsTotal: 3_000_000, secondsLeft: 38 }),
      job("running", { pointsDone: 204_300, pointsTotal: 100_000, secondsLeft: 5 }),
      job("finished", { pointsDone: 7, pointsTotal: 7 }),
    ];
    expect(statusSentence({ ...AT_REST, jobs })).toBe("online · 2 downloads: 1,204,300 of 3,100,000 points, 38 s left");
  });

  it("says that nothing runs, and when the next check for new data is", () => {
    expect(statusSentence({ ...AT_REST, jobs: [job("finished"), job("cancelled")] })).toBe("online · nothing running");
    const keptUp = { ...job("finished"), keepUp: true, nextRunMs: NOW_MS + 65_000 };
    expect(statusSentence({ ...AT_REST, jobs: [keptUp] })).toBe("online · next check for new data 14:01:05 UTC");
    expect(statusSentence({ ...AT_REST, isFile: true })).toBe("from a file · nothing running");
    expect(statusSentence({ ...AT_REST, lostReason: "stopped" })).toBe("reconnecting…");
  });

  it("says until when the service asked to wait, and when it is tried again", () => {
    const paused = job("running", { pointsDone: 5, pointsTotal: 9, secondsLeft: 4, waitingUntilMs: NOW_MS + 300_000 });
    expect(statusSentence({ ...AT_REST, jobs: [paused] })).toBe(
      "paused by the service until 14:05:00 UTC · 1 download: 5 of 9 points",
    );
    const waiting = job("waitingForNetwork", { outage: { sinceMs: 0, nextTryMs: NOW_MS + 10_000, reason: "" } });
    expect(
      statusSentence({ ...AT_REST, connectivity: { state: "offline", pausedUntilMs: null }, jobs: [waiting] }),
    ).toBe("offline · 1 download waits for the service, next attempt 14:00:10 UTC");
  });

  it("says that another program downloads what is left", () => {
    const waiting = job("running", { pointsDone: 0, pointsTotal: 9, waitsForOthers: true });
    expect(statusSentence({ ...AT_REST, jobs: [waiting] })).toBe(
      "online · 1 download: waiting for another download of the same data",
    );
    expect(stateWords(waiting, NOW_MS)).toBe("Waiting for another download of the same data");
  });

  it("names what a download without points waits for", () => {
    const jobs = [job("running"), job("queued")];
    expect(statusSentence({ ...AT_REST, jobs })).toBe("online · 2 downloads: starting");
    expect(statusSentence({ ...AT_REST, jobs, isRefreshing: true })).toBe(
      "online · fetching the list of stations · 2 downloads",
    );
  });

  it("lists running jobs, and the reasons why others wait", () => {
    const exports = [{ state: "running", rowsDone: 1, rowsTotal: 3 } as Partial<ExportTask> as ExportTask];
    const jobs = [job("queued"), job("paused"), job("needsKey")];
    expect(statusSentence({ ...AT_REST, jobs, exports })).toBe(
      "online · 1 download: queued · 1 export: 33 % · 1 download waits for a key · 1 download paused by you",
    );
    expect(statusSentence({ ...AT_REST, jobs: [job("waitingForNetwork"), job("waitingForNetwork")] })).toBe(
      "online · 2 downloads wait for the service",
    );
  });
});

describe("the input for a connection", () => {
  const typed = {
    name: "",
    baseUrl: " https://api.example.org:8443/v1 ",
    apiKey: "k",
    remember: true,
    allowsPlainHttp: false,
  };

  test.each([
    ["https://api.example.org:8443/v1", "api.example.org"],
    ["api.example.org", "api.example.org"],
    ["http://", ""],
  ])("the default name for “%s” is “%s”", (baseUrl, name) => expect(nameFor({ name: " ", baseUrl })).toBe(name));

  it("reports missing input beside its field", () => {
    expect(problemsOf(typed, [])).toEqual({});
    expect(Object.keys(problemsOf({ ...typed, baseUrl: " ", apiKey: " \n" }, []))).toEqual(["baseUrl", "apiKey"]);
  });

  it("requires confirmation before a key is sent unencrypted to another computer", () => {
    const remote = { ...typed, baseUrl: "http://api.example.org" };
    expect(problemsOf(remote, []).apiKey).toMatch(/sent unencrypted.*use https/);
    expect(problemsOf({ ...remote, allowsPlainHttp: true }, [])).toEqual({});
    expect(problemsOf({ ...typed, baseUrl: "http://127.0.0.1:8080" }, [])).toEqual({});
  });

  it("does not replace a connection with the same name", () => {
    expect(problemsOf(typed, ["api.example.org"]).name).toContain("exists already");
    expect(problemsOf({ ...typed, name: " Aurora " }, ["Aurora"]).name).toContain("exists already");
  });
});

function openedAgain(kept: object, nowMs: number): Workspace {
  return readWorkspace(JSON.stringify(kept), nowMs);
}

it("a workspace opens with the morning page on another day than the last, if it has stations", () => {
  const day = 86_400_000;
  const first = openedAgain({ stationIds: ["a"], section: "schedules" }, 10 * day);
  expect(first).toMatchObject({ section: "schedules", seenDay: 10 });
  expect(openedAgain(first, 11 * day - 1).section).toBe("schedules");
  expect(openedAgain(first, 11 * day)).toMatchObject({ section: "morning", seenDay: 11 });
  expect(openedAgain({ ...first, stationIds: [] }, 11 * day).section).toBe("schedules");
});

it("a workspace of another version is restored as far as it is valid", () => {
  const kept = JSON.stringify({
    stationIds: ["a"],
    range: { startMs: 5, endMs: 5 },
    view: 7,
    section: "cellar",
    new: 1,
  });
  const workspace = readWorkspace(kept, 1_000_000_000);
  expect(workspace).toMatchObject({ stationIds: ["a"], view: "series", section: "explore", isDrawerOpen: false });
  expect(workspace.range.endMs - workspace.range.startMs).toBe(7 * 86_400_000);
  expect(readWorkspace("{", 0).stationIds).toEqual([]);
});
