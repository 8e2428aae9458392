import { describe, expect, it, test } from "vitest";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { JobProgress } from "#shared/job/job.ts";
import { jobsSummary } from "../../src/renderer/features/shell/StatusBar.tsx";
import { nameFor, problemsOf } from "../../src/renderer/features/start/connectionInput.ts";
import { readWorkspace } from "../../src/renderer/stores/workspace.ts";

function job(state: Job["state"], progress: Partial<JobProgress> | null = null): Job {
  return { id: state, connectionId: "c", state, progress } as Partial<Job> as Job;
}

describe("the summary of jobs", () => {
  it("sums running jobs, with the remaining time of the longest", () => {
    const jobs = [
      job("running", { pointsDone: 1_000_000, pointsTotal: 3_000_000, secondsLeft: 38 }),
      job("running", { pointsDone: 204_300, pointsTotal: 100_000, secondsLeft: 5 }),
      job("finished", { pointsDone: 7, pointsTotal: 7 }),
    ];
    expect(jobsSummary(jobs, [])).toBe("2 jobs: 1,204,300 of 3,100,000 points, 38 s left");
  });

  it("is empty without waiting or running jobs", () => {
    expect(jobsSummary([job("finished"), job("cancelled")], [])).toBeNull();
  });

  it("lists running jobs, and the reasons why others wait", () => {
    const exports = [{ state: "running", rowsDone: 1, rowsTotal: 3 } as Partial<ExportTask> as ExportTask];
    expect(jobsSummary([job("queued"), job("paused"), job("needsKey")], exports)).toBe(
      "1 job: starting · 1 export: 33 % · 1 job needs a key · 1 job paused",
    );
    expect(jobsSummary([job("waitingForNetwork"), job("waitingForNetwork")], [])).toBe("2 jobs wait for the service");
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
