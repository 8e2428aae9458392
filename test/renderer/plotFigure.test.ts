import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GAP_CAUSES } from "#shared/series/gap.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { binTrack, createBins } from "#shared/plot/bins.ts";
import { composeFigure } from "#shared/plot/figure/compose.ts";
import type { FigurePage } from "#shared/plot/figure/page.ts";
import { sections, type Scene, type TextShape, type VectorShape } from "#shared/plot/figure/scene.ts";
import { sceneToSvg } from "#formats/figure/svg.ts";
import { timeLabels } from "#shared/plot/figure/timeAxis.ts";
import { GAP_MARKS } from "#shared/plot/gapMarks.ts";
import { FIGURE_COLOURS, figureTheme } from "#shared/plot/figure/themes.ts";
import { type PlotTheme, SERIES_COLOURS, seriesLook } from "#shared/plot/theme.ts";
import { LANE_OPACITY, lanesOf, MAX_LANES, segmentAt, type StationGaps } from "#shared/plot/lanes.ts";
import { splitPanels } from "#renderer/plot/arrange.ts";
import type { Rejected, PanelModel } from "#shared/plot/panel.ts";
import { rawMarks } from "#shared/plot/rawMarks.ts";
import type { Track } from "#shared/plot/track.ts";
import { anyCharacter } from "../support/characters.ts";

const START_MS = Date.UTC(2026, 10, 14);
const VIEW = { startMs: START_MS, endMs: START_MS + 12 * HOUR_MS };
const THEME: PlotTheme = {
  colour: (token) => `#${token.length}${token.length}0000`.slice(0, 7),
  fontFamily: `"Inter Variable", sans-serif`,
};
const PAGE: FigurePage = {
  width: 1_200,
  height: null,
  theme: THEME,
  hasTitle: true,
  source: "p",
  legend: "top",
  nowMs: START_MS + 10 * HOUR_MS,
};
const FILE = { widthMm: 177, fontFaces: "" };
const EMPTY = composeFigure([], VIEW, { title: "", notes: [] }, PAGE);
const HOSTILE = `<img src=x onerror=alert(1)> "; & ' </svg><script>alert(1)</script> \u202e\u0000]]>`;

function model(names: readonly string[], gaps: readonly StationGaps[]): PanelModel {
  const timesMs = Float64Array.from({ length: 200 }, (_, i) => START_MS + i * 30_000 + (i > 100 ? HOUR_MS : 0));
  const values = timesMs.map((_, i) => 2_400 + Math.sin(i / 10));
  const sigma = timesMs.map(() => 2);
  return {
    quantity: { key: "ztd", short: "ZTD", label: "Zenith total delay", unit: "mm" },
    fromFiles: [],
    lines: names.map((name, i) => ({
      stationId: `s${i}`,
      name,
      track: { kind: "rows", range: VIEW, stepMs: 30_000, timesMs, values, sigma },
      colour: `--series-${(i % 8) + 1}`,
      dash: [],
      rejected: null,
    })),
    gaps,
    bounds: null,
    hasTimeAxis: true,
  };
}

function svgOf(name: string): string {
  const gaps = [
    {
      stationId: "s0",
      gaps: [{ range: { startMs: START_MS + 6 * HOUR_MS, endMs: VIEW.endMs }, cause: "notRequested" as const }],
    },
  ];
  return sceneToSvg(
    composeFigure([model([name], gaps)], VIEW, { title: name, notes: [] }, { ...PAGE, source: name }),
    FILE,
  );
}

/** Tags of a document in order: its structure without its texts. */
function structure(svg: string): string[] {
  return [...svg.matchAll(/<(\/?[a-zA-Z]+)[\s>/]/g)].map((m) => m[1]!);
}

/** Decodes an escaped text, as XML readers do. */
function unescapeXml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

describe("an SVG figure", () => {
  test("has the same structure for any station name", () => {
    const plain = structure(svgOf("Kallio"));
    expect(plain.filter((tag) => tag === "svg")).toHaveLength(1);
    expect(structure(svgOf(HOSTILE))).toEqual(plain);
    expect(svgOf(HOSTILE)).not.toMatch(/<script|<img|onerror=alert\(1\)>|\u202e/);
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (name) => {
        const svg = svgOf(name);
        expect(structure(svg)).toEqual(plain);
        // Without the tags, no < or > remains.
        expect(svg.replaceAll(/<[^<>]*>/g, "")).not.toMatch(/[<>]/);
      }),
      { numRuns: 15 },
    );
  });

  test("escapes all characters that XML supports without loss", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!/[\p{Cc}\uFFFE\uFFFF\u202A-\u202E\u2066-\u2069]/u.test(text));
        const [, title = ""] = /<title>([^<>"']*)<\/title>/.exec(sceneToSvg({ ...EMPTY, title: text }, FILE)) ?? [];
        expect(unescapeXml(title)).toBe(text);
      }),
    );
  });

  test("has lines as vectors, axes with units in UTC, its range, and gaps with hatch and label", () => {
    const svg = svgOf("Kallio");
    expect(svg).toContain(">ZTD (mm)<");
    expect(svg).toContain(">UTC<");
    expect(svg).toContain("2026-11-14T00:00:00Z to 2026-11-14T12:00:00Z");
    expect(svg).toContain(`fill="url(#gap-notRequested)"`);
    expect(svg.match(/>not downloaded</g)).toHaveLength(2);
    // The hour without rows interrupts the line.
    const line = [...svg.matchAll(/<path d="([^"]+)" fill="none"[^>]*stroke-width="1.1"/g)].map((m) => m[1]!);
    expect(line[0]!.match(/M/g)).toHaveLength(2);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });
});

/** The number of sections of the line. */
function sectionsOf(svg: string): number {
  const [, line] = /<path d="([^"]+)" fill="none"[^>]*stroke-width="1.1"/.exec(svg)!;
  return line!.match(/M/g)!.length;
}

function texts(scene: Scene): TextShape[] {
  return scene.shapes.filter((shape) => shape.kind === "text");
}

function composed(page: Partial<FigurePage>): Scene<VectorShape> {
  const words = { title: "Delay", notes: ["A note."] };
  return composeFigure([model(["Kallio", "Oulu"], [])], VIEW, words, { ...PAGE, ...page });
}

test("a legend names the grey of a strip that many stations share", () => {
  const names = Array.from({ length: 9 }, (_, i) => `Station ${i}`);
  const gaps = names.map((_, i) => ({ stationId: `s${i}`, gaps: [] }));
  const of = (count: number): string =>
    wordsOf(composeFigure([model(names.slice(0, count), gaps.slice(0, count))], VIEW, { title: "", notes: [] }, PAGE));
  expect(of(9)).toContain("no gap");
  expect(of(8)).not.toContain("no gap");
});

function wordsOf(scene: Scene): string {
  return texts(scene)
    .map((t) => t.text)
    .join("|");
}

describe("a figure of small multiples", () => {
  const whole = model(["Kallio", "Oulu", "Sodankylä", "Turku", `Kirkko${"nummi".repeat(30)}`], []);
  const split = splitPanels([whole], VIEW, false);
  const scene = composeFigure(split, VIEW, { title: "Delay", notes: [] }, { ...PAGE, width: 600 });

  test("has a heading for each panel, columns of panels, and a time axis below each column", () => {
    const headings = texts(scene).filter((each) => each.text.endsWith("ZTD (mm)"));
    expect(headings.map(({ text }) => text.slice(0, 6))).toEqual(["Kallio", "Oulu, ", "Sodank", "Turku,", "Kirkko"]);
    expect(new Set(headings.map(({ x }) => x)).size).toBe(2);
    expect(new Set(headings.map(({ y }) => y)).size).toBe(3);
    expect(headings.at(-1)?.text).toMatch(/…, ZTD \(mm\)$/);
    expect(texts(scene).filter((each) => each.text === "2026-11-14")).toHaveLength(2);
    // The legend would repeat the names of the stations.
    expect(texts(scene).some((each) => each.text === "Kallio")).toBe(false);
  });
});

describe("a figure", () => {
  test("has the requested width and height, or is higher if its plots require it", () => {
    expect([composed({ width: 353 }).width, composed({ height: 700 }).height]).toEqual([353, 700]);
    expect(composed({ height: 20 }).height).toBeGreaterThan(100);
  });

  test("has no overlapping axis labels and no texts beyond its edges at any width", () => {
    fc.assert(
      fc.property(fc.integer({ min: 240, max: 1_400 }), fc.integer({ min: 1, max: 400 }), (width, hours) => {
        const view = { startMs: START_MS, endMs: START_MS + hours * HOUR_MS };
        const scene = composeFigure([model(["Kallio"], [])], view, { title: "Delay", notes: [] }, { ...PAGE, width });
        const boxes = texts(scene).map(({ x, y, text, size, anchor }) => {
          // In the window, all digits are equally wide, and so wider than letters.
          const long = text.length * size * (/^[\d:-]+$/.test(text) ? 0.66 : 0.58);
          const left = anchor === "end" ? x - long : anchor === "middle" ? x - long / 2 : x;
          return { left, right: left + long, y, text };
        });
        expect(boxes.filter((box) => box.left < 0 || box.right > width + 1)).toEqual([]);
        const axis = boxes.filter(({ text }) => /^(UTC|\d\d:\d\d|\d{2,4}-\d\d(-\d\d)?)$/.test(text));
        const meet = axis.flatMap((a, i) =>
          axis.slice(i + 1).filter((b) => a.y === b.y && a.right > b.left && b.right > a.left),
        );
        expect(meet).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test("explains its bands, and omits legend, title and source if they are turned off", () => {
    expect(wordsOf(composed({}))).toMatch(/Delay\|.*Kallio\|Oulu\|±1σ \(formal\).*A note\.\|p$/);
    expect(wordsOf(composed({ legend: "none", hasTitle: false, source: null }))).not.toMatch(/Delay|Kallio|±|p$/);
    const [above, below] = (["top", "bottom"] as const).map(
      (legend) => texts(composed({ legend })).find((t) => t.text === "Oulu")!.y,
    );
    expect(below).toBeGreaterThan(above! + 100);
  });
});

describe("raw rows in a figure", () => {
  const timesMs = Float64Array.from({ length: 20 }, (_, i) => START_MS + (120 + i) * 30_000);
  const values = timesMs.map((_, i) => 2_500 + (i % 3));
  const track = { kind: "rows" as const, range: VIEW, stepMs: 30_000, timesMs, values, sigma: null };
  const svgWith = (rejected: Rejected | null): string => {
    const plain = model(["Kallio"], []);
    const lines = plain.lines.map((line) => ({ ...line, rejected }));
    return sceneToSvg(composeFigure([{ ...plain, lines }], VIEW, { title: "t", notes: [] }, PAGE), FILE);
  };

  test("are unconnected points with an entry in the legend", () => {
    const svg = svgWith({ track, judged: [] });
    expect(svg).toContain(">rejected data, dimmed<");
    const dim = [...svg.matchAll(/<path d="([^"]+)"[^>]*fill-opacity="0.5"/g)].map((m) => m[1]!);
    // The swatch in the legend, and one point for each row.
    expect(dim.map((d) => d.match(/M/g)!.length).toSorted((a, b) => a - b)).toEqual([3, 20]);
    expect(sectionsOf(svg)).toBe(sectionsOf(svgWith(null)));
    expect(svgWith(null)).not.toMatch(/raw rows|fill-opacity="0.5"/);
  });

  test("are included in the bounds of the axis", () => {
    expect(svgWith({ track, judged: [] })).toContain(">2,500<");
    expect(svgWith(null)).not.toContain(">2,500<");
  });

  test("are bars from the minimum to the maximum if they share a column", () => {
    const bins = createBins();
    const many = Float64Array.from({ length: 5_000 }, (_, i) => START_MS + i * 1_000);
    const high = many.map((_, i) => 2_400 + (i % 50));
    binTrack({ ...track, timesMs: many, values: high }, { startMs: START_MS, endMs: START_MS + 5_000_000 }, 100, bins);
    const places: number[][] = [];
    rawMarks(bins, { left: 0, top: 0, width: 100, height: 50, low: 2_400, high: 2_450 }, 3, (...box) =>
      places.push(box),
    );
    expect(places).toHaveLength(100);
    for (const [, top, , foot] of places) expect([top, foot]).toEqual([1 - 1.5, 50 + 1.5]);
    // Adjacent, and extended by half a point at both ends.
    expect(places.slice(1).map(([left]) => left)).toEqual(places.slice(0, -1).map(([, , right]) => right));
    expect([places[0]![0], places.at(-1)![2]]).toEqual([0.5 - 1.5, 99.5 + 1.5]);
  });
});

test("a line is split at NaN", () => {
  expect(sections([1, 2, 3, 4, NaN, NaN, 5, 6])).toEqual([
    [
      [1, 2],
      [3, 4],
    ],
    [[5, 6]],
  ]);
  expect(sections([NaN, NaN])).toEqual([]);
});

test("every cause of a gap has a unique label and hatch", () => {
  expect(new Set(GAP_MARKS.map((m) => m.cause))).toEqual(new Set(GAP_CAUSES));
  expect(new Set(GAP_MARKS.map((m) => m.word)).size).toBe(GAP_MARKS.length);
  expect(new Set(GAP_MARKS.map((m) => JSON.stringify(m.hatch))).size).toBe(GAP_MARKS.length);
});

describe("lanes of gaps", () => {
  const causes = fc.constantFrom(...GAP_CAUSES);
  const stationGaps = fc.array(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), causes), { maxLength: 6 }),
    { minLength: MAX_LANES + 1, maxLength: 20 },
  );

  test("contain the gaps of each station if there are few stations", () => {
    const gaps = [{ range: { startMs: START_MS, endMs: START_MS + HOUR_MS }, cause: "failed" as const }];
    const few = Array.from({ length: MAX_LANES }, (_, i) => ({ stationId: `s${i}`, gaps }));
    expect(lanesOf(few, VIEW, 400)).toEqual(
      few.map(({ stationId }) => ({ stationId, segments: [{ ...gaps[0]!, stations: 1 }] })),
    );
  });

  test("are combined in ordered segments that count stations if there are many", () => {
    fc.assert(
      fc.property(stationGaps, (all) => {
        const stations = all.map((gaps, s): StationGaps => {
          let at = START_MS;
          const found = gaps.map(([pause, length, cause]) => {
            const startMs = at + pause * 60_000;
            at = startMs + length * 60_000;
            return { range: { startMs, endMs: at }, cause };
          });
          return { stationId: `s${s}`, gaps: found };
        });
        const lanes = lanesOf(stations, VIEW, 400);
        const { segments: joint } = lanes[0]!;
        expect(lanes).toHaveLength(1);
        expect(
          joint.every(
            (p, i) =>
              p.range.endMs > p.range.startMs && (i === 0 || p.range.startMs >= joint[i - 1]!.range.endMs - 1e-3),
          ),
        ).toBe(true);
        expect(joint.every((p) => p.stations >= 1 && p.stations <= stations.length)).toBe(true);
      }),
    );
  });

  test("are hit at the pointer, with a tolerance for narrow segments", () => {
    const piece = { range: { startMs: 100, endMs: 110 }, cause: "failed" as const, stations: 1 };
    expect(segmentAt([piece], 105, 0)).toBe(piece);
    expect(segmentAt([piece], 112, 3)).toBe(piece);
    expect(segmentAt([piece], 120, 3)).toBeNull();
  });
});

test.each(["light", "dark"] as const)("the %s figure theme of the core has the colours of the style sheet", (name) => {
  const sheet = readFileSync(join(import.meta.dirname, "../../src/renderer/ui/tokens.css"), "utf8");
  const part = sheet.slice(sheet.indexOf(`[data-theme="${name}"] {`)).split("}")[0] ?? "";
  const tokens = new Map([...part.matchAll(/(--[\w-]+): (#\w+);/g)].map(([, token, colour]) => [token, colour]));
  for (const [token, colour] of Object.entries(FIGURE_COLOURS[name]))
    expect([token, colour]).toEqual([token, tokens.get(token)]);
  const theme = figureTheme(name, "Inter");
  for (const { colour } of GAP_MARKS) expect(theme.colour(colour)).toMatch(/^#/);
  for (let slot = 0; slot < SERIES_COLOURS; slot++) expect(theme.colour(seriesLook(slot).variable)).toMatch(/^#/);
});

test("a figure names the stations without a value in its range", () => {
  const both = model(["Kallio", "Blitzstein"], []);
  const [kallio, blitzstein] = both.lines;
  // The window also reads values after the range, for panning.
  const track: Track = {
    kind: "rows",
    range: VIEW,
    stepMs: 30_000,
    timesMs: Float64Array.of(VIEW.endMs + HOUR_MS),
    values: Float64Array.of(2_400),
    sigma: null,
  };
  const models = [{ ...both, lines: [kallio!, { ...blitzstein!, track }] }];
  const all = texts(composeFigure(models, VIEW, { title: "ZTD", notes: [] }, PAGE)).map(({ text }) => text);
  expect(all).toContain("Without data in this range: Blitzstein.");
  const complete = texts(composeFigure([both], VIEW, { title: "ZTD", notes: [] }, PAGE)).map(({ text }) => text);
  expect(complete.join(" ")).not.toContain("Without data");
});

test("the top label of an axis is below the heading of its panel", () => {
  const fixed: PanelModel = { ...model(["Kallio"], []), bounds: [2_300, 2_500] };
  const all = texts(composeFigure([fixed], VIEW, { title: "T", notes: [] }, PAGE));
  const [heading, number] = ["ZTD (mm)", "2,500"].map((wanted) => all.find(({ text }) => text === wanted)!);
  expect(number!.y - heading!.y).toBeGreaterThanOrEqual(heading!.size);
});

test("a figure of several stations shows below each plot when each has data, in its colour, as on the screen", () => {
  const range = { startMs: START_MS + 6 * HOUR_MS, endMs: START_MS + 9 * HOUR_MS };
  const gaps = [
    { stationId: "s0", gaps: [{ range, cause: "failed" as const }] },
    { stationId: "s1", gaps: [] },
  ];
  const both = model(["Kallio", "Oulu"], gaps);
  const { shapes } = composeFigure([both], VIEW, { title: "ZTD", notes: [] }, PAGE);
  const lanes = shapes.filter((shape) => shape.kind === "rect" && shape.opacity === LANE_OPACITY);
  const plot = shapes.find((shape) => shape.kind === "clip")!;
  // PAGE is drawn at 10 of 12 hours.
  const hours = lanes.map((lane) => {
    const { x, width, y, colour } = lane as Extract<typeof lane, { kind: "rect" }>;
    const hour = (at: number): number => Math.round(((at - plot.x) / plot.width) * 120) / 10;
    return { from: hour(x), to: hour(x + width), below: y > plot.y + plot.height, colour };
  });
  const [first, second] = both.lines.map(({ colour }) => THEME.colour(colour));
  expect(hours).toEqual([
    { from: 0, to: 6, below: true, colour: first },
    { from: 9, to: 10, below: true, colour: first },
    { from: 0, to: 10, below: true, colour: second },
  ]);
});

test("the labels of a time axis are centred below their ticks, and those at its ends stay inside, however wide digits are", () => {
  const range = { startMs: START_MS, endMs: START_MS + 72 * HOUR_MS };
  const shapes = timeLabels(range, { left: 56, width: 540, rightRoom: 12 }, 100, "#000") as TextShape[];
  const placed = (words: string) => shapes.filter((s) => s.text === words).map(({ x, anchor }) => [x, anchor]);
  expect(placed("2026-11-14")).toEqual([[56, "start"]]);
  expect(placed("2026-11-15")).toEqual([[236, "middle"]]);
  expect(placed("2026-11-17")).toEqual([[608, "end"]]);
});
