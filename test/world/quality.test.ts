import { describe, expect, test } from "vitest";
import { createWorld } from "#service/world/index.ts";
import { QUALITY } from "#service/world/types.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { largest, mean, named, rowsOf, smallest, type Row } from "./support.ts";

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

function satelliteCount(row: Row): number {
  return row.texts[0]!.split(",").length;
}

function strongestDb(row: Row): number {
  return Math.max(...row.texts[3]!.split(",").map(Number.parseFloat));
}

function meanJumpMm(rows: readonly Row[]): number {
  return mean(rows.slice(1).map((r, i) => Math.abs(r.ztd - rows[i]!.ztd)));
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

  test("has a settled sigma of 0.8 to 4 mm", () => {
    for (const rows of perStation) {
      const good = rows.filter((r) => r.quality === "none");
      expect(smallest(good.map((r) => r.sigma))).toBeGreaterThan(0.8);
      expect(largest(good.map((r) => r.sigma))).toBeLessThan(4);
    }
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

  test("has weaker signals, fewer satellites and noisy ZTD while jammed", () => {
    const index = perStation.findIndex((rows) => runs(rows, "jamming").some((run) => run.length > 8));
    const run = runs(perStation[index]!, "jamming").toSorted((a, b) => b.length - a.length)[0]!;
    const middle = run[Math.floor(run.length / 2)]!.timeMs;
    const at = (timeMs: number): Row =>
      rowsOf(world, northern[index]!, { startMs: timeMs, endMs: timeMs + 2 * MINUTE_MS, satellites: true })[0]!;
    const jammed = at(middle);
    const before = at(run[0]!.timeMs - 10 * MINUTE_MS);
    expect(satelliteCount(jammed)).toBeLessThan(satelliteCount(before) - 5);
    expect(strongestDb(jammed)).toBeLessThan(strongestDb(before) - 6);
    expect(meanJumpMm(run)).toBeGreaterThan(
      3 * meanJumpMm(perStation[index]!.filter((r) => r.quality === "none").slice(0, 500)),
    );
  });

  test("has smooth ZTD between good epochs", () => {
    const good = perStation[1]!.filter((r) => r.quality === "none");
    const jumps = good
      .slice(1)
      .flatMap((r, i) => (r.timeMs - good[i]!.timeMs === 30_000 ? [Math.abs(r.ztd - good[i]!.ztd)] : []));
    expect(mean(jumps)).toBeLessThan(0.4);
    expect(largest(jumps)).toBeLessThan(3);
  });
});

test("the first epochs of a station are in convergence", () => {
  const station = named(world, "LUMI00FIN");
  const [first] = rowsOf(world, station, { startMs: station.firstDataMs!, endMs: station.firstDataMs! + MINUTE_MS });
  expect(first!.quality).toBe("convergence");
  expect(first!.sigma).toBeGreaterThan(25);
});
