import { describe, expect, it } from "vitest";
import { type Home } from "./program.ts";
import { openTrial } from "./trial.ts";

const RANGE = ["--from", "2026-10-05", "--to", "2026-10-07"];
const ROW = /^[0-9a-f-]{36},Torsvika,(ztd|pwv),(\w+),(\S+Z),(\S+Z),(\d+)$/;

const { service, home } = await openTrial(["stations"], ["fetch", "Torsvika", "--day", "2026-10-05"]);

service.resetStats();

describe("zenith gaps", () => {
  it("lists causes with their durations as JSON, and sends no request", async () => {
    const found = await home.json(["gaps", "Torsvika", ...RANGE, "--vars", "ztd"]);
    const gaps = found["gaps"] as { cause: string; start: string; end: string; duration_seconds: number }[];
    expect(gaps.at(-1)).toMatchObject({
      variable: "ztd",
      cause: "notRequested",
      start: "2026-10-06T00:00:00Z",
      end: "2026-10-07T00:00:00Z",
      duration_seconds: 86_400,
    });
    expect(gaps.every((g) => g.duration_seconds >= 300)).toBe(true);
    expect(found["sums"]).toContainEqual(expect.objectContaining({ cause: "notRequested", seconds: 86_400 }));
    expect(service.stats.requests).toBe(0);
  });

  it("writes the gaps as CSV, with shorter ones on request", async () => {
    const long = await csvRows(home, "12h");
    expect(long).toHaveLength(2);
    // Single epochs are missing at random.
    expect((await csvRows(home, "30s")).length).toBeGreaterThan(long.length);
  });

  it("prints a table with totals by cause", async () => {
    const ended = await home.run(["gaps", "Torsvika", ...RANGE, "--min", "12h"]);
    expect(ended.stdout).toMatch(/^2 gaps of at least 12 h in /);
    expect(ended.stdout).toMatch(/Torsvika +pwv +not downloaded +2026-10-06T00:00:00Z +2026-10-07T00:00:00Z +1 d/);
    expect(ended.stdout).toMatch(/All gaps[^]*not downloaded +2 d/);
  });

  it("rejects --json with --csv", async () => {
    expect(await home.run(["--json", "gaps", "Torsvika", ...RANGE, "--csv"])).toMatchObject({ code: 2, stdout: "" });
  });
});

async function csvRows(home: Home, min: string): Promise<string[]> {
  const ended = await home.run(["gaps", "Torsvika", ...RANGE, "--min", min, "--csv"]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  const [head, ...rows] = ended.stdout.trimEnd().split("\n");
  expect(head).toBe("station_id,display_name,variable,cause,start,end,duration_s");
  for (const row of rows) expect(row).toMatch(ROW);
  return rows;
}
