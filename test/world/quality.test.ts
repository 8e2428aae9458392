import { describe, expect, test } from "vitest";
import { createWorld } from "#service/world/index.ts";
import { QUALITY } from "#service/world/types.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { largest, mean, named, rowsOf, type Row } from "./support.ts";

const world = createWorld({ seed: 1 });
const MONTH = { startMs: Date.UTC(2025, 8, 1), endMs: Date.UTC(2025, 9, 1) };
const northern = world.stations.filter((s) => s.network.code === "NORDA" && s.nativeSeconds === 30);
const perStation = northern.map((station) => rowsOf(world, station, MONTH));

/** Epochs of one state without an interruption of more than five minutes. */
function runs(rows: readonly Row[], quality: Row["quality"]): Row[][] {
  const found: Row[][] = [];
  for (const row of rows.filter((r) => r.quality === quality)) {
    const last = found.at(-1);
    if (last && row.timeMs - last.at(-1)!.timeMs <= 5 * MINUTE_MS) last.push(row);
    else found.push([row]);
  }
  return found;
}

describe("a month of the northern network", () => {
  test("has every kind of bad epoch, which are rare together", () => {
    const all = perStation.flat();
    for (const quality of QUALITY) expect(all.some((r) => r.quality === quality)).toBe(true);
    const bad = all.filter((r) => r.quality !== "none").length / all.length;
    expect(bad).toBeGreaterThan(0.0005);
    expect(bad).toBeLessThan(0.02);
  });

  test("has outages of hours to days, and single missing epochs", () => {
    const holes = perStation.flatMap((rows) => rows.slice(1).map((r, i) => (r.timeMs - rows[i]!.timeMs) / 30_000 - 1));
    expect(holes.some((lost) => lost === 1)).toBe(true);
    expect(holes.some((lost) => lost > 240)).toBe(true);
    expect(largest(holes) * 30_000).toBeLessThan(9 * DAY_MS);
    const share = mean(perStation.map((rows) => rows.length)) / 86_400;
    expect(share).toBeGreaterThan(0.93);
    expect(share).toBeLessThan(0.9999);
  });

  test("has convergences of at most 40 minutes that start at about 30 mm and end settled", () => {
    const starts = perStation.flatMap((rows) => runs(rows, "convergence"));
    expect(starts.length).toBeGreaterThan(5);
    for (const run of starts) expect(run.at(-1)!.timeMs - run[0]!.timeMs).toBeLessThanOrEqual(40 * MINUTE_MS);
    const whole = starts.filter((run) => run.at(-1)!.timeMs - run[0]!.timeMs >= 20 * MINUTE_MS);
    for (const run of whole) {
      expect(run[0]!.sigma).toBeGreaterThan(10);
      expect(run.at(-1)!.sigma).toBeLessThan(run[0]!.sigma / 3);
    }
    expect(Math.max(...whole.map((run) => run[0]!.sigma))).toBeGreaterThan(27);
  });

  test("has satellites but no values in epochs without a solution", () => {
    const unsolved = perStation.flat().filter((r) => r.quality === "noSolution");
    for (const row of unsolved) expect([row.ztd, row.sigma, row.pwv]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    for (const station of northern.slice(0, 4)) {
      const bad = rowsOf(world, station, MONTH).find((r) => r.quality === "noSolution")!;
      const range = { startMs: bad.timeMs, endMs: bad.timeMs + 1, satellites: true };
      expect(rowsOf(world, station, range)[0]!.texts[0]!.split(",").length).toBeGreaterThan(15);
    }
  });
});

test("the first epochs of a station are in convergence", () => {
  const station = named(world, "LUMI00FIN");
  const [first] = rowsOf(world, station, { startMs: station.firstDataMs!, endMs: station.firstDataMs! + MINUTE_MS });
  expect(first!.quality).toBe("convergence");
  expect(first!.sigma).toBeGreaterThan(25);
});
