import * as fc from "fast-check";
import packageJson from "../../package.json" with { type: "json" };
import { describe, expect, it } from "vitest";
import type { JobProgress } from "#shared/job/job.ts";
import { type Verdict, VERDICT_STATES, type VerdictState } from "#shared/job/verdict.ts";
import type { Command } from "commander";
import { bar, jobLine, startLine } from "#main/cli/terminal/progress.ts";
import { createProgram, createWholeProgram } from "#main/cli/program.ts";
import { irregularityLines } from "#shared/series/rows.ts";
import { parseDuration } from "#main/cli/options/parse.ts";
import { isIncomplete, summarise } from "#main/cli/download/summary.ts";

const RANGE = { startMs: 0, endMs: 86_400_000 };
const verdict = (over: Partial<Verdict>): Verdict => ({
  stationId: "a",
  variable: "ztd",
  range: RANGE,
  state: "ok",
  rows: 0,
  reason: null,
  ...over,
});

describe("the summary of a job", () => {
  it("has one line per station with its rows, and the reason of each state other than ok", () => {
    const half = { startMs: 0, endMs: 43_200_000 };
    const lines = summarise(
      [
        verdict({ rows: 2_880 }),
        verdict({ variable: "pwv", rows: 288 }),
        verdict({ stationId: "b", range: half, rows: 10 }),
        verdict({ stationId: "b", range: { ...RANGE, startMs: half.endMs }, state: "failed", reason: "No answer." }),
        verdict({ stationId: "c", state: "empty" }),
      ],
      RANGE,
    );
    expect(lines).toMatchObject([
      { stationId: "a", rows: 2_880, verdict: "ok" },
      { stationId: "b", rows: 10, states: ["failed", "ok"] },
      { stationId: "c", rows: 0, verdict: "empty: missing" },
    ]);
    expect(lines[1]!.verdict).toMatch(/^failed 1970-01-01T12:00:00Z → .*: No answer; ok$/);
  });

  it("names every state, with the worst first, and is incomplete only with a failed or forbidden part", () => {
    const state = fc.constantFrom<VerdictState>(...VERDICT_STATES);
    fc.assert(
      fc.property(fc.array(state, { minLength: 1 }), (states) => {
        const verdicts = states.map((s) => verdict({ state: s }));
        const [line] = summarise(verdicts, RANGE);
        for (const s of states) expect(line!.verdict).toContain(s);
        expect(new Set(line!.states)).toEqual(new Set(states));
        expect(isIncomplete(verdicts)).toBe(states.includes("failed") || states.includes("forbidden"));
      }),
    );
  });

  it("describes irregularities", () => {
    expect(irregularityLines({ unsorted: 1_234, conflict: 0 })).toEqual([
      "1,234 × rows out of time order, put in order",
    ]);
  });
});

describe("the progress line", () => {
  const progress: JobProgress = {
    state: "running",
    pointsTotal: 1_000,
    pointsDone: 250,
    rows: 240,
    bodyBytes: 40_000,
    requestsSent: 3,
    requestsUnderWay: 2,
    splits: 1,
    retries: 0,
    putOff: 2,
    limitPoints: 100,
    concurrency: 2,
    pointsPerSecond: 50,
    secondsLeft: 15,
    waitingUntilMs: 5_000,
    irregularities: {},
  };

  it("shows the progress, the remaining work and the requested wait", () => {
    expect(jobLine(progress, 3_500, null)).toBe(
      "the service asks to wait until 00:00:05 UTC (2 s) · 25 % · 250 of 1,000 points · 50/s · 3 requests, 2 under way · 1 split · 2 × 429 · 40.0 kB",
    );
    expect(jobLine(progress, 3_500, 80, false)).toMatch(/^\[###-{9}\] the service asks to wait/);
    const outage = { sinceMs: Date.UTC(2026, 0, 1, 14, 2, 11), nextTryMs: 5_400, reason: "It is away." };
    const away = { ...progress, waitingUntilMs: null, outage };
    expect(jobLine(away, 3_500, 80, false)).toMatch(
      /^\[###-{9}\] waiting for the service since 14:02:11 UTC · trying again in 2 s · 25 % · 250/,
    );
    expect(jobLine({ ...away, pointsTotal: 0 }, 6_000, 80)).toBe(
      "Waiting for the service since 14:02:11 UTC · trying again now",
    );
    expect(jobLine({ ...progress, waitingUntilMs: null, waitsForOthers: true }, 3_500, 80, false)).toContain(
      "waiting for another download of the same data",
    );
    expect(jobLine({ ...progress, pointsTotal: 0, waitingUntilMs: null }, 0, 80)).toContain("Comparing with the cache");
  });

  it("fits a long wait into 80 columns before the plan is known", () => {
    const line = startLine({ waitingUntilMs: Date.UTC(2026, 0, 1, 23, 59, 59) }, Date.UTC(2026, 0, 1, 23, 49, 20));
    expect(line).toBe("The service asks to wait until 23:59:59 UTC (10 min 39 s)");
    expect(line.length).toBeLessThan(80);
  });

  it("has a bar of the requested width", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 50 }), (share, width) => {
        expect(bar(share, width, true)).toHaveLength(width);
        expect(bar(share, width, false)).toHaveLength(width + 2);
      }),
    );
  });
});

describe("the help", async () => {
  const program = await createWholeProgram();

  it.each(program.commands.map((c) => [c.name(), c] as const))("of %s has a summary and examples", (_, command) => {
    let text = "";
    command.configureOutput({ writeOut: (t) => (text += t) }).outputHelp();
    expect(command.summary().length).toBeGreaterThan(20);
    expect(command.description().length).toBeGreaterThan(100);
    expect(text).toContain("Examples:\n  zenith ");
    expect(text).toContain("--json");
  });

  it("shows the default of a duration with its unit", () => {
    const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
    const options = all(program).flatMap((command) => command.options);
    const durations = options.filter((o) => o.flags.includes("<duration>") && o.defaultValue !== undefined);
    expect(durations.map((o) => o.long).toSorted()).toEqual(["--min", "--silent", "--within"]);
    for (const { defaultValue, defaultValueDescription = "" } of durations)
      expect(parseDuration(defaultValueDescription)).toEqual({ ok: true, value: defaultValue });
  });

  it("--version prints only the version", () => {
    let text = "";
    const own = createProgram().configureOutput({ writeOut: (t) => (text += t) });
    expect(() => own.parse(["--version"], { from: "user" })).toThrow(expect.objectContaining({ exitCode: 0 }));
    expect(text).toBe(`${packageJson.version}\n`);
  });

  it("lists the main commands in order, and the exit codes", () => {
    let text = "";
    program.configureOutput({ writeOut: (t) => (text += t) }).outputHelp();
    const way = ["connect", "stations", "plan", "fetch", "export"].map((c) => text.indexOf(`\n  zenith ${c}`));
    expect(way).toEqual(way.toSorted((a, b) => a - b));
    expect(Math.min(...way)).toBeGreaterThan(0);
    for (const code of [0, 1, 2, 3, 4, 5, 6, 130]) expect(text).toMatch(new RegExp(`^ +${code}  \\w`, "m"));
  });
});
