import type { ComparedSites, Comparison, PairedValues } from "#shared/comparison.ts";
import { at, figure, frameOf, line, type Mark, type ReportFigure, rounded, type Scale, timeTicks } from "./figure.ts";

const COLUMNS = 560;
const CELLS = 56;
const BINS = 41;
/** Mean width of a character in a label, pixels. */
const LETTER = 6.2;
/** Maximum number of figures of single sites, to keep reports readable. */
export const MAX_SITE_FIGURES = 24;

/** Draws differences A − B of one site over time: a bar from minimum to maximum in each pixel column. */
export function differenceSeries(
  { match, pairs, cells, statistics }: ComparedSites,
  { range, variable }: Comparison,
): ReportFigure {
  const differences = pairs.a.map((value, i) => value - (pairs.b[i] ?? Number.NaN));
  const frame = frameOf([range.startMs, range.endMs], spanOf(differences, true), 640, 190);
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
  const width = (frame.x.end - frame.x.start) / COLUMNS;
  const bars = [...low].map(([column, min]) => {
    const x = rounded(frame.x.start + (column + 0.5) * width);
    const [top, bottom] = [at(frame.y, high.get(column) ?? min) - 0.7, at(frame.y, min) + 0.7];
    return `M${x} ${rounded(top)}V${rounded(bottom)}`;
  });
  const bias = at(frame.y, statistics.biasMm);
  const content: Mark[] = [
    { kind: "path", look: "data", path: bars.join("") },
    ...(statistics.n > 0 ? [line("mark", [frame.x.start, bias], [frame.x.end, bias])] : []),
  ];
  const name = `Differences of ${variable} at ${match.a.label}`;
  return figure(name, frame, { title: "UTC", ticks: timeTicks(frame.x) }, { title: "A − B (mm)" }, content);
}

/** Draws values of A against B of all sites: darker cells contain more pairs. */
export function scatterFigure({ sites, variable, a, b }: Comparison): ReportFigure {
  const [min, max] = spanOfAll(sites.flatMap(({ pairs }) => [pairs.a, pairs.b]));
  const frame = frameOf([min, max], [min, max], 420, 400);
  const counts = new Map<number, number>();
  const cellOf = (value: number): number => Math.min(CELLS - 1, Math.floor(((value - min) / (max - min)) * CELLS));
  eachPair(sites, (valueA, valueB) => {
    const cell = cellOf(valueB) * CELLS + cellOf(valueA);
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  });
  const top = Math.log1p(Math.max(1, ...counts.values()));
  const [width, height] = [size(frame.x) / CELLS, size(frame.y) / CELLS];
  const cells = [...counts].map(([cell, n]): Mark => ({
    kind: "rect",
    look: "cell",
    x: rounded(frame.x.start + (cell % CELLS) * width),
    y: rounded(frame.y.start - (Math.floor(cell / CELLS) + 1) * height),
    width: rounded(width),
    height: rounded(height),
    opacity: 0.15 + (0.85 * Math.log1p(n)) / top,
  }));
  const diagonal = line("mark", [frame.x.start, frame.y.start], [frame.x.end, frame.y.end]);
  return figure(
    "Values of A against B",
    frame,
    { title: `${variable} of A, ${a.name} (mm)` },
    { title: `${variable} of B, ${b.name} (mm)` },
    [...cells, diagonal],
  );
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
  const frame = frameOf([from, from + 2 * half], [0, Math.max(1, ...counts)], 420, 300);
  const width = size(frame.x) / BINS;
  const bars = Array.from(counts, (n, bin): Mark => {
    const y = at(frame.y, n);
    const [left, height] = [frame.x.start + bin * width, frame.y.start - y];
    return {
      kind: "rect",
      look: "cell",
      x: rounded(left),
      y: rounded(y),
      width: rounded(width - 0.5),
      height: rounded(height),
    };
  });
  return figure("Histogram of the differences", frame, { title: "A − B (mm)" }, { title: "pairs" }, bars);
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
  const frame = frameOf([0, maxRadius], [0, maxRadius], 420, 400);
  const place = (radius: number, correlation: number): readonly [number, number] => [
    rounded(at(frame.x, radius * Math.max(0, correlation))),
    rounded(at(frame.y, radius * Math.sqrt(Math.max(0, 1 - correlation ** 2)))),
  ];
  const rays = [0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99].flatMap((correlation): Mark[] => {
    const [x, y] = place(maxRadius, correlation);
    return [
      line("grid", [frame.x.start, frame.y.start], [x, y]),
      { kind: "text", look: "tick", x: x - 4, y: y + 12, anchor: "end", text: String(correlation) },
    ];
  });
  const arcs = [0.5, 1].map((radius): Mark => {
    const [right, top] = [at(frame.x, radius), at(frame.y, radius)];
    const length = rounded(right - frame.x.start);
    const path = `M${rounded(right)} ${frame.y.start}A${length} ${length} 0 0 0 ${frame.x.start} ${rounded(top)}`;
    return { kind: "path", look: radius === 1 ? "mark" : "grid", path };
  });
  const dots = points.map(({ match, radius, correlation }): Mark => {
    const [x, y] = place(radius, correlation);
    return { kind: "circle", look: "dot", x, y, radius: 4, title: match.a.label };
  });
  const reference: Mark = {
    kind: "circle",
    look: "reference",
    x: rounded(at(frame.x, 1)),
    y: frame.y.start,
    radius: 5,
  };
  const title = "standard deviation of B / of A; angle: correlation";
  return figure("Taylor diagram", frame, { title }, { title: "relative standard deviation" }, [
    ...rays,
    ...arcs,
    ...dots,
    reference,
  ]);
}

/** Draws the bias of each site at its position; null without positions. */
export function biasMap({ sites }: Comparison): ReportFigure | null {
  const places = sites.flatMap(({ match, statistics }) => {
    const position = match.a.position ?? match.b.position;
    return position && statistics.n > 0 ? [{ label: match.a.label, position, bias: statistics.biasMm }] : [];
  });
  if (places.length === 0) return null;
  const frame = frameOf(
    padded(places.map((p) => p.position.longitudeDeg)),
    padded(places.map((p) => p.position.latitudeDeg)),
    640,
    380,
  );
  const maxBias = Math.max(...places.map((p) => Math.abs(p.bias)), 1e-9);
  const taken: { readonly left: number; readonly right: number; readonly y: number }[] = [];
  const dots = places.flatMap(({ label, position, bias }): Mark[] => {
    const [x, y] = [rounded(at(frame.x, position.longitudeDeg)), rounded(at(frame.y, position.latitudeDeg))];
    const radius = rounded(4 + (10 * Math.abs(bias)) / maxBias);
    const text = `${label} ${bias.toFixed(1)}`;
    const isLeft = x > frame.width * 0.7;
    const start = isLeft ? x - radius - 3 : x + radius + 3;
    const length = text.length * LETTER;
    const box = { left: isLeft ? start - length : start, right: isLeft ? start : start + length, y };
    // Overlapping names are left out; the table contains all.
    const isFree = taken.every(
      ({ left, right, y: other }) => right < box.left || left > box.right || Math.abs(other - y) > 12,
    );
    if (isFree) taken.push(box);
    const dot: Mark = {
      kind: "circle",
      look: bias < 0 ? "negative" : "positive",
      x,
      y,
      radius,
      title: `${label}: ${bias.toFixed(2)} mm`,
    };
    const name: Mark = {
      kind: "text",
      look: "tick",
      x: rounded(start),
      y: y + 4,
      anchor: isLeft ? "end" : "start",
      text,
    };
    return isFree ? [dot, name] : [dot];
  });
  return figure("Map of the bias", frame, { title: "longitude (°)" }, { title: "latitude (°)" }, dots);
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

function size({ start, end }: Scale): number {
  return Math.abs(end - start);
}

/** Returns the span of values with a margin. */
function spanOf(values: Float64Array, withZero = false): readonly [number, number] {
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
