import type { ComparedSites, Comparison, PairedValues } from "#shared/comparison.ts";
import { axes, line, rect } from "#shared/plot/figure/axes.ts";
import { drawScatter } from "#shared/plot/figure/scatter.ts";
import { symbol } from "#shared/plot/figure/symbols.ts";
import { text, textWidth } from "#shared/plot/figure/page.ts";
import type { Scene, VectorShape } from "#shared/plot/figure/scene.ts";
import { figureTheme } from "#shared/plot/figure/themes.ts";
import { yOf } from "#shared/plot/scale.ts";
import type { TimeRange } from "#shared/time/range.ts";

const COLUMNS = 560;
const CELLS = 56;
const BINS = 41;
/** Maximum number of figures of single sites, to keep reports readable. */
export const MAX_SITE_FIGURES = 24;

const THEME = figureTheme("light", "system-ui, sans-serif");
const DATA = THEME.colour("--series-1");
const MARK = THEME.colour("--series-2");
const QUIET = THEME.colour("--text-2");
const GRID = THEME.colour("--line");
const SHEET = { background: THEME.colour("--surface"), fontFamily: THEME.fontFamily };

export interface ReportFigure {
  /** Its title is for screen readers. */
  readonly scene: Scene<VectorShape>;
  /** Shown above the figure. */
  readonly caption?: string;
}

interface Along {
  readonly low: number;
  readonly high: number;
  readonly cellOf: (value: number) => number;
}

type Ends = readonly [low: number, high: number];
type Plot = Omit<ReturnType<typeof axes>, "shapes">;

interface PlotSpec {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly x: { readonly ends: Ends; readonly label: string } | { readonly time: TimeRange };
  readonly y: { readonly ends: Ends; readonly label: string };
  readonly draw: (plot: Plot) => readonly VectorShape[];
}

function figure({ title, width, height, x, y, draw }: PlotSpec): ReportFigure {
  const [low, high] = widened(y.ends);
  const horizontal = "time" in x ? x : { low: widened(x.ends)[0], high: widened(x.ends)[1], label: x.label };
  const { shapes, ...plot } = axes({ width, height, x: horizontal, y: { low, high, label: y.label }, theme: THEME });
  const { left, top, height: tall } = plot.box;
  const frame = line([left, top, left, top + tall, left + plot.box.width, top + tall], QUIET);
  return { scene: { ...SHEET, width, height, title, shapes: [...shapes, frame, ...draw(plot)] } };
}

/** Returns two different, finite ends for a scale. */
function widened([from, to]: Ends): Ends {
  if (!Number.isFinite(from) || !Number.isFinite(to)) return [0, 1];
  return to > from ? [from, to] : [from - 0.5, to + 0.5];
}

/** Draws differences A − B of one site over time: a bar from minimum to maximum in each pixel column. */
export function differenceSeries(
  { match, pairs, cells, statistics }: ComparedSites,
  { range, variable }: Comparison,
): ReportFigure {
  const differences = pairs.a.map((value, i) => value - (pairs.b[i] ?? Number.NaN));
  const low = new Map<number, number>();
  const high = new Map<number, number>();
  differences.forEach((difference, i) => {
    // A difference of means is drawn at the middle of their interval.
    const timeMs = (pairs.timesMs[i] ?? range.startMs) + cells.pairedMs / 2;
    const share = (timeMs - range.startMs) / (range.endMs - range.startMs);
    const column = Math.min(COLUMNS - 1, Math.floor(share * COLUMNS));
    low.set(column, Math.min(low.get(column) ?? Infinity, difference));
    high.set(column, Math.max(high.get(column) ?? -Infinity, difference));
  });
  return figure({
    title: `Differences of ${variable} at ${match.a.label}`,
    width: 640,
    height: 190,
    x: { time: range },
    y: { ends: valueSpan(differences, true), label: "A − B (mm)" },
    draw({ box }) {
      const bars = [...low].flatMap(([column, min]) => {
        const x = box.left + ((column + 0.5) * box.width) / COLUMNS;
        return [x, yOf(box, high.get(column) ?? min) - 0.7, x, yOf(box, min) + 0.7, Number.NaN, Number.NaN];
      });
      const bias = yOf(box, statistics.biasMm);
      const atBias = statistics.n > 0 ? [line([box.left, bias, box.left + box.width, bias], MARK, 1.2)] : [];
      return [line(bars, DATA, 1.2), ...atBias];
    },
  });
}

/** Draws values of A against B of all sites, like the window: darker cells contain more pairs. */
export function scatterFigure({ sites, variable, a, b, overall }: Comparison): ReportFigure {
  const counts = new Uint32Array(CELLS * CELLS);
  const [alongA, alongB] = (["a", "b"] as const).map((of) => {
    const [low, high] = widened(spanOfAll(sites.map(({ pairs }) => pairs[of])));
    return { low, high, cellOf: (value: number) => Math.floor(((value - low) / (high - low)) * CELLS) };
  }) as [Along, Along];
  let n = 0;
  eachPair(sites, (valueA, valueB) => {
    const cell = alongB.cellOf(valueB) * CELLS + alongA.cellOf(valueA);
    counts[cell] = (counts[cell] ?? 0) + 1;
    n++;
  });
  const [width, height] = [420, 400];
  const words = {
    a: `${variable} of A, ${a.name} (mm)`,
    b: `${variable} of B, ${b.name} (mm)`,
    biasMm: overall.biasMm,
  };
  const draw = drawScatter({ kind: "density", n, cells: CELLS, counts, a: alongA, b: alongB }, words);
  return { scene: { ...SHEET, width, height, title: "Values of A against B", shapes: draw(width, height, THEME) } };
}

/** Draws a histogram of the differences of all sites. The first and last bin include the tails. */
export function histogramFigure({ sites, overall }: Comparison): ReportFigure {
  const half = Math.max(1e-6, 4 * (Number.isFinite(overall.stdMm) ? overall.stdMm : 1));
  const from = overall.biasMm - half;
  const counts = new Uint32Array(BINS);
  eachPair(sites, (valueA, valueB) => {
    const bin = Math.floor(((valueA - valueB - from) / (2 * half)) * BINS);
    const own = Math.max(0, Math.min(BINS - 1, bin));
    counts[own] = (counts[own] ?? 0) + 1;
  });
  return figure({
    title: "Histogram of the differences",
    width: 420,
    height: 300,
    x: { ends: [from, from + 2 * half], label: "A − B (mm)" },
    y: { ends: [0, Math.max(1, ...counts)], label: "pairs" },
    draw({ box }) {
      const width = box.width / BINS;
      return Array.from(counts, (n, bin) => {
        const y = yOf(box, n);
        return rect({ x: box.left + bin * width, y, width: width - 0.5, height: box.top + box.height - y }, DATA);
      });
    },
  });
}

/**
 * Draws a Taylor diagram: for each site the standard deviation of B relative to A as the radius, and the correlation as the
 * angle. A is the point (1, 0).
 */
export function taylorFigure({ sites }: Comparison): ReportFigure {
  const points = sites.flatMap(({ match, statistics: { stdAMm, stdBMm, correlation } }) => {
    const radius = stdBMm / stdAMm;
    return Number.isFinite(radius) && Number.isFinite(correlation) ? [{ match, radius, correlation }] : [];
  });
  const maxRadius = Math.max(1.25, ...points.map(({ radius }) => radius * 1.08));
  return figure({
    title: "Taylor diagram",
    width: 420,
    height: 400,
    x: { ends: [0, maxRadius], label: "standard deviation of B / of A; angle: correlation" },
    y: { ends: [0, maxRadius], label: "relative standard deviation" },
    draw({ box, xOf }) {
      const place = (radius: number, angle: number): [number, number] => [
        xOf(radius * Math.cos(angle)),
        yOf(box, radius * Math.sin(angle)),
      ];
      const rays = [0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99].flatMap((correlation) => {
        const [x, y] = place(maxRadius, angleOf(correlation));
        return [
          line([xOf(0), yOf(box, 0), x, y], GRID),
          text([x - 4, y + 12], String(correlation), QUIET, { anchor: "end" }),
        ];
      });
      const arcs = [0.5, 1].map((radius) => {
        const angles = Array.from({ length: 46 }, (_, i) => (i * Math.PI) / 90);
        return line(
          angles.flatMap((angle) => place(radius, angle)),
          radius === 1 ? MARK : GRID,
        );
      });
      const dots = points.map(({ radius, correlation }) =>
        symbol("circle", place(radius, angleOf(correlation)), 4, DATA),
      );
      return [...rays, ...arcs, ...dots, symbol("circle", place(1, 0), 5, MARK)];
    },
  });
}

function angleOf(correlation: number): number {
  return Math.acos(Math.max(0, Math.min(1, correlation)));
}

/** Draws the bias of each site at its position; null without positions. */
export function biasMap({ sites }: Comparison): ReportFigure | null {
  const places = sites.flatMap(({ match, statistics }) => {
    const position = match.a.position ?? match.b.position;
    return position && statistics.n > 0 ? [{ label: match.a.label, position, bias: statistics.biasMm }] : [];
  });
  if (places.length === 0) return null;
  const maxBias = Math.max(...places.map((p) => Math.abs(p.bias)), 1e-9);
  return figure({
    title: "Map of the bias",
    width: 640,
    height: 380,
    x: { ends: padded(places.map((p) => p.position.longitudeDeg)), label: "longitude (°)" },
    y: { ends: padded(places.map((p) => p.position.latitudeDeg)), label: "latitude (°)" },
    draw({ box, xOf }) {
      const taken: { readonly left: number; readonly right: number; readonly y: number }[] = [];
      return places.flatMap(({ label, position, bias }): VectorShape[] => {
        const [x, y] = [xOf(position.longitudeDeg), yOf(box, position.latitudeDeg)];
        const radius = 4 + (10 * Math.abs(bias)) / maxBias;
        const words = `${label} ${bias.toFixed(1)}`;
        const isLeft = x > box.left + box.width * 0.7;
        const start = isLeft ? x - radius - 3 : x + radius + 3;
        const length = textWidth(words);
        const own = { left: isLeft ? start - length : start, right: isLeft ? start : start + length, y };
        // Overlapping names are left out; the table contains all.
        const isFree = taken.every(
          ({ left, right, y: other }) => right < own.left || left > own.right || Math.abs(other - y) > 12,
        );
        const dot = symbol("circle", [x, y], radius, bias < 0 ? DATA : MARK);
        if (!isFree) return [dot];
        taken.push(own);
        return [dot, text([start, y + 4], words, QUIET, { anchor: isLeft ? "end" : "start" })];
      });
    },
  });
}

/** Returns the span of values with a margin, also for a single value. */
function padded(values: readonly number[]): readonly [number, number] {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const margin = Math.max(0.5, (max - min) * 0.08);
  return [min - margin, max + margin];
}

function eachPair(sites: readonly { readonly pairs: PairedValues }[], visit: (a: number, b: number) => void): void {
  for (const { pairs } of sites) pairs.a.forEach((value, i) => visit(value, pairs.b[i] ?? Number.NaN));
}

/** Returns the span of values with a margin. */
function valueSpan(values: Float64Array, withZero = false): readonly [number, number] {
  return spanOfAll(withZero ? [values, Float64Array.of(0)] : [values]);
}

function spanOfAll(all: readonly Float64Array[]): readonly [number, number] {
  let [min, max] = [Infinity, -Infinity];
  for (const values of all)
    for (const value of values) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
  const margin = (max - min) * 0.04 || 0.5;
  return [min - margin, max + margin];
}
