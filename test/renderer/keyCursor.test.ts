import { describe, expect, it } from "vitest";
import type { PanelModel } from "#shared/plot/panel.ts";
import { newestMoment, SNAP_PX, snapToRow, spokenValues, stepCursor } from "#renderer/plot/readout.ts";
import type { Track } from "#shared/plot/track.ts";

const VIEW = { view: { startMs: 0, endMs: 1_000 }, pixelMs: 1 };

function rows(timesMs: readonly number[], values = timesMs.map(() => 2_400)): Track {
  const range = { startMs: 0, endMs: 1_000 };
  return {
    kind: "rows",
    range,
    stepMs: 10,
    timesMs: Float64Array.from(timesMs),
    values: Float64Array.from(values),
    sigma: null,
  };
}

describe("the keyboard cursor", () => {
  it("steps to the next value of any line and skips missing values", () => {
    const tracks = [rows([0, 10, 20], [1, Number.NaN, 3]), rows([5, 15])];
    expect([0, 5, 15].map((ms) => stepCursor(tracks, ms, 1, VIEW))).toEqual([5, 15, 20]);
    expect(stepCursor(tracks, 5, -1, VIEW)).toBe(0);
  });

  it("moves by at least one pixel", () => {
    const dense = rows(Array.from({ length: 100 }, (_, i) => i * 10));
    expect(stepCursor([dense], 0, 1, { ...VIEW, pixelMs: 95 })).toBe(100);
    expect(stepCursor([dense], 500, -1, { ...VIEW, pixelMs: 95 })).toBe(400);
  });

  it("stops once in a gap, then at the first value after it", () => {
    const track = rows([0, 10, 20, 500, 510]);
    const inGap = stepCursor([track], 20, 1, VIEW);
    expect(inGap).toBeGreaterThan(20);
    expect(inGap).toBeLessThan(500);
    expect(stepCursor([track], inGap, 1, VIEW)).toBe(500);
    expect(stepCursor([track], inGap, -1, VIEW)).toBe(20);
  });

  it("stops far enough inside a gap that the readout does not snap to a row", () => {
    const track = rows([0, 10, 20, 500, 510]);
    for (const pixelMs of [0.1, 1, 5, 20]) {
      const inGap = stepCursor([track], 20, 1, { ...VIEW, pixelMs });
      expect(snapToRow([track], inGap, pixelMs * SNAP_PX)).toBe(inGap);
    }
  });

  it("moves by a fixed step without data", () => {
    expect(stepCursor([], 500, 1, VIEW)).toBe(520);
  });

  it("stops at the middle of columns with values", () => {
    const count = Uint32Array.from([3, 0, 4]);
    const values = Float64Array.from(count);
    const data = { count, min: values, max: values, mean: values };
    const track: Track = { kind: "columns", range: { startMs: 0, endMs: 300 }, stepMs: 100, data, sigma: null };
    const inGap = stepCursor([track], 50, 1, VIEW);
    expect(inGap).toBeGreaterThan(100);
    expect(inGap).toBeLessThan(250);
    expect(stepCursor([track], inGap, 1, VIEW)).toBe(250);
    expect(stepCursor([track], inGap, -1, VIEW)).toBe(50);
  });
});

const line = (name: string) =>
  ({ stationId: name, name, track: rows([10]), colour: "--a", dash: [], rejected: null }) as const;

const pwvOf = (...tracks: Track[]): PanelModel => ({
  quantity: { key: "pwv", short: "PWV", label: "", unit: "mm" },
  lines: tracks.map((track, i) => ({ ...line(String(i)), track })),
  fromFiles: [],
  gaps: [],
  bounds: null,
  hasTimeAxis: true,
});

it("the newest value of a variable is that of any of its lines, before the end of the range", () => {
  const late = rows([0, 300, 600, 900], [1, 2, 3, Number.NaN]);
  expect(newestMoment(pwvOf(rows([0, 300]), late), 1_000)).toBe(600);
  expect(newestMoment(pwvOf(late), 500)).toBe(300);
  expect(newestMoment(pwvOf(rows([])), 1_000)).toBeNull();
});

it("the time of a mean over minutes has no fractions of a second", () => {
  const count = Uint32Array.from([3, 4, 0]);
  const values = Float64Array.from(count);
  const data = { count, min: values, max: values, mean: values };
  const range = { startMs: 0, endMs: 1_000_000 };
  const means: Track = { kind: "columns", range, stepMs: 30_000, data, sigma: null };
  expect(newestMoment(pwvOf(means), range.endMs)).toBe(500_000);
  expect(newestMoment(pwvOf({ ...means, range: { startMs: 0, endMs: 1_000_300 } }), 1_000_300)).toBe(500_000);
});

it("screen readers receive values in sentences, with causes of gaps and a limited number of stations", () => {
  const names = ["A", "B", "C", "D", "E"];
  const model: PanelModel = {
    quantity: { key: "ztd", short: "ZTD", label: "", unit: "mm" },
    lines: names.map(line),
    fromFiles: [],
    gaps: [{ stationId: "A", gaps: [{ range: { startMs: 500, endMs: 600 }, cause: "notRequested" }] }],
    bounds: null,
    hasTimeAxis: true,
  };
  expect(spokenValues([model], 10, "B")).toBe("1970-01-01 00:00:00.010 UTC. B: ZTD 2,400.0 mm.");
  expect(spokenValues([model], 550, "A")).toMatch(/ A: ZTD not downloaded\.$/);
  const rejected = { track: rows([500], [2_500]), judged: [{ startMs: 490, endMs: 510 }] };
  const filtered = { ...model, lines: [{ ...line("A"), rejected }] };
  expect(spokenValues([filtered], 500, "A")).toMatch(/ A: ZTD 2,500.0 mm, raw: filtered out by the service\.$/);
  expect(spokenValues([{ ...model, gaps: [] }], 550, "A")).toMatch(/ A: ZTD no value\.$/);
  expect(spokenValues([model], 10, null)).toMatch(/ D: .*\. 1 more: up and down arrows read one station at a time\.$/);
});
