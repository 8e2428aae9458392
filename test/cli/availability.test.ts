import { describe, expect, it } from "vitest";
import { openTrial } from "./trial.ts";

const RANGE = ["--from", "2026-09-01", "--to", "2026-10-01", "--vars", "ztd"];
const DAY_MS = 86_400_000;

interface Series {
  readonly display_name: string;
  readonly data: readonly { readonly start: string; readonly end: string }[];
  readonly unknown: readonly unknown[];
  readonly cached: readonly unknown[];
}

const { service, home } = await openTrial(["stations"]);

const ask = async (...more: string[]): Promise<Series> => {
  const { stations } = await home.json(["availability", "Torsvika", ...RANGE, ...more]);
  return (stations as Series[])[0]!;
};

describe("zenith availability", () => {
  it("asks the service which days have data, for a point a day, and keeps the answer", async () => {
    service.resetStats();
    expect(await ask()).toMatchObject({ data: [], cached: [] });
    expect(service.stats.requests).toBe(0);
    const found = await ask("--service");
    const points = service.stats.log.filter((r) => r.endpoint === "query").reduce((sum, r) => sum + (r.points ?? 0), 0);
    expect(points).toBeLessThanOrEqual(60);
    expect(found).toMatchObject({ display_name: "Torsvika", unknown: [], cached: [] });
    service.resetStats();
    expect(await ask()).toEqual(found);
    expect(service.stats.requests).toBe(0);
    // The days that it names are those of the observations.
    await home.json(["fetch", "Torsvika", ...RANGE]);
    const here = await ask();
    expect(here.cached).toEqual(found.data);
    const days = found.data.reduce((sum, { start, end }) => sum + (Date.parse(end) - Date.parse(start)) / DAY_MS, 0);
    expect(days).toBeGreaterThan(15);
  });

  it("prints the days of each station, and says how to ask about unknown ones", async () => {
    const ended = await home.run(["availability", "Torsvika", "Kallio", ...RANGE]);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining("30 days unknown: add --service") });
    expect(ended.stdout).toMatch(/Torsvika +ztd +\d+/);
  });
});
