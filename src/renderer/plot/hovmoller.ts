import type uPlot from "uplot";
import { distanceKm as distanceOnEarth } from "#shared/station/position.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { timeAfterStartMs } from "#shared/series/cell.ts";
import { decimal } from "#shared/text.ts";
import { ramp } from "../map/oklab.ts";
import { aroundZero, SCALE_STEPS, scaleDomain } from "../map/painting.ts";
import { shiftTrack, summaryOf } from "./arrange.ts";
import { type Bins, binTrack, createBins } from "#shared/plot/bins.ts";
import { clippedTo, line as stroke, plotBox, rect } from "#shared/plot/figure/axes.ts";
import { timeLabels } from "#shared/plot/figure/timeAxis.ts";
import { colourBar } from "#shared/plot/figure/colourBar.ts";
import { hatchShape, text } from "#shared/plot/figure/page.ts";
import type { Scene, VectorShape } from "#shared/plot/figure/scene.ts";
import { segmentAt, type StationGaps } from "#shared/plot/lanes.ts";
import type { GapUnder, PanelLine, PanelQuantity } from "#shared/plot/panel.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { timeTicks } from "#shared/plot/timeTicks.ts";
import { quantityTitle } from "#shared/plot/values.ts";
import { type Area, BLANK_AXIS, type Drawing, type PanelLook } from "./drawing.ts";

/** Sort orders of the rows. */
export const ROW_ORDERS = ["longitude", "latitude", "distance"] as const;
export type RowOrder = (typeof ROW_ORDERS)[number];

interface Place {
  readonly latitudeDeg: number | null;
  readonly longitudeDeg: number | null;
}

/** Returns the great-circle distance; null if a position is unknown. */
export function distanceKm(a: Place, b: Place): number | null {
  if (a.latitudeDeg === null || a.longitudeDeg === null || b.latitudeDeg === null || b.longitudeDeg === null)
    return null;
  return distanceOnEarth(
    { latitudeDeg: a.latitudeDeg, longitudeDeg: a.longitudeDeg },
    { latitudeDeg: b.latitudeDeg, longitudeDeg: b.longitudeDeg },
  );
}

interface Row {
  readonly line: PanelLine;
  /** Degrees, or kilometres from the first station; null if unknown. */
  readonly position: number | null;
}

/** Sorts rows from top to bottom: north to south, west to east or near to far; unknown positions last. */
export function sortRows(
  lines: readonly PanelLine[],
  placeOf: (stationId: string) => Place | undefined,
  order: RowOrder,
): Row[] {
  const placeOfLine = ({ stationId, place }: PanelLine) => place ?? placeOf(stationId);
  const first = lines[0] && placeOfLine(lines[0]);
  const rows = lines.map((line): Row => {
    const place = placeOfLine(line);
    if (!place) return { line, position: null };
    if (order === "distance") return { line, position: first ? distanceKm(first, place) : null };
    return { line, position: order === "latitude" ? place.latitudeDeg : place.longitudeDeg };
  });
  const sign = order === "latitude" ? -1 : 1;
  return rows.toSorted((a, b) => {
    if (a.position === null || b.position === null) return Number(a.position === null) - Number(b.position === null);
    return sign * (a.position - b.position);
  });
}

export interface Hovmoller {
  readonly quantity: PanelQuantity;
  readonly rows: readonly Row[];
  readonly order: RowOrder;
  readonly isAnomaly: boolean;
  /** Known gaps of the rows. */
  readonly gaps: readonly StationGaps[];
  /** The range whose values determine the colour scale and the means of anomalies. */
  readonly view: TimeRange;
  readonly title: string;
}

// Lengths are in units of the scene (CSS pixels).
const ROOM = { left: 150, right: 92, top: 30, bottom: 40 };
/** Between the plot and its colour scale. */
const SCALE_GAP = 14;
const MIN_NAME_HEIGHT = 13;
const MAX_NAME_LENGTH = 19;
const ORDER_WORDS: Readonly<Record<RowOrder, string>> = {
  longitude: "by longitude",
  latitude: "by latitude",
  distance: "by distance from the first",
};

/** Stations against time, with the row of a station under the pointer. */
export class HovmollerDrawing implements Drawing<Hovmoller> {
  readonly bounds = [0, 1] as const;
  readonly padding: uPlot.Padding = [ROOM.top, ROOM.right, 0, 0];
  #diagram: Hovmoller;

  constructor(diagram: Hovmoller) {
    this.#diagram = diagram;
  }

  setModel(diagram: Hovmoller): void {
    this.#diagram = diagram;
  }

  isComplete(): boolean {
    return true;
  }

  drawnLines(): number {
    return this.#diagram.rows.filter(({ line }) => line.track !== null).length;
  }

  /** Its rows have names instead of values, and its axes are part of the diagram. */
  axes(): uPlot.Axis[] {
    return [
      { ...BLANK_AXIS, scale: "x", side: 2, size: ROOM.bottom },
      { ...BLANK_AXIS, scale: "y", side: 3, size: ROOM.left },
    ];
  }

  prepare(): void {}

  shapes({ size, theme, view }: PanelLook): readonly VectorShape[] {
    return composeHovmoller(this.#diagram, size, theme, view).shapes;
  }

  stationAt({ y }: { readonly y: number }, { height }: Area): string | null {
    const { rows } = this.#diagram;
    return rows[Math.floor((y / height) * rows.length)]?.line.stationId ?? null;
  }

  gapAt(momentMs: number, withinMs: number, point: { readonly y: number }, plot: Area): GapUnder | null {
    const stationId = this.stationAt(point, plot);
    const own = this.#diagram.gaps.find((each) => each.stationId === stationId)?.gaps ?? [];
    const segments = own.map((gap) => ({ ...gap, stations: 1 }));
    const piece = segmentAt(segments, momentMs, withinMs);
    return piece && { ...piece, stationId };
  }

  rowOf(stationId: string | null, { width, height }: Area): Area | null {
    const { rows } = this.#diagram;
    const index = stationId === null ? -1 : rows.findIndex(({ line }) => line.stationId === stationId);
    const rowPx = height / rows.length;
    return index < 0 ? null : { left: 0, top: index * rowPx, width, height: rowPx };
  }
}

/**
 * Composes a Hovmöller diagram: stations against time, values as colours with a scale, gaps as hatching by cause.
 *
 * @param view the visible range, which may differ from the diagram's while the user moves it; the colour scale does not change
 */
export function composeHovmoller(
  diagram: Hovmoller,
  size: Pick<Scene, "width" | "height">,
  theme: PlotTheme,
  view: TimeRange = diagram.view,
): Scene<VectorShape> {
  const { quantity, rows, order, isAnomaly } = diagram;
  const box = plotBox({ ...size, room: ROOM });
  const ink = theme.colour("--text");
  const quiet = theme.colour("--text-2");
  // Anomalies need a diverging scale, with zero as the neutral middle.
  const scale = isAnomaly ? "diverging" : "ramp";
  const steps = ramp(
    ["low", "middle", "high"].map((end) => theme.colour(`--${scale}-${end}`)),
    SCALE_STEPS,
  );
  const name = isAnomaly ? { ...quantity, short: `${quantity.short} anomaly` } : quantity;
  const ends = scaleEnds(diagram);
  const shapes: VectorShape[] = [
    text([box.left, 18], `${quantityTitle(name)}, stations ${ORDER_WORDS[order]}`, ink, { weight: 600 }),
  ];
  const inside: VectorShape[] = [];
  const rowPx = box.height / Math.max(1, rows.length);
  const xOf = (ms: number): number => box.left + ((ms - view.startMs) / (view.endMs - view.startMs)) * box.width;
  const gapsOf = new Map(diagram.gaps.map(({ stationId, gaps }) => [stationId, gaps]));
  rows.forEach(({ line }, i) => {
    const top = Math.round(box.top + i * rowPx);
    const height = Math.max(1, Math.round(box.top + (i + 1) * rowPx) - top);
    for (const { range, cause } of gapsOf.get(line.stationId) ?? []) {
      const [x, end] = [Math.max(box.left, xOf(range.startMs)), Math.min(box.left + box.width, xOf(range.endMs))];
      if (end > x) inside.push(hatchShape({ x, y: top, width: end - x, height }, cause, theme));
    }
    const bins = binsOf(line, diagram, view, box.width);
    if (!bins || !ends) return;
    for (const { x, width: runWidth, step } of colourRuns(bins, ends, steps.length, { view, box }))
      inside.push({ kind: "rect", x, y: top, width: runWidth, height, colour: steps[step] ?? ink, opacity: 1 });
  });
  const { left: x, top: y, width, height } = box;
  shapes.push(rect({ x, y, width, height }, theme.colour("--surface-3")), clippedTo(box, inside));
  const namedEvery = Math.max(1, Math.ceil(MIN_NAME_HEIGHT / rowPx));
  rows.forEach(({ line }, i) => {
    if (i % namedEvery !== 0) return;
    const short = line.name.length > MAX_NAME_LENGTH ? `${line.name.slice(0, MAX_NAME_LENGTH - 1)}…` : line.name;
    shapes.push(text([box.left - 8, box.top + (i + 0.5) * rowPx + 4], short, quiet, { anchor: "end" }));
  });
  const bottom = y + height;
  for (const { timeMs } of timeTicks(view, width))
    shapes.push(stroke([xOf(timeMs), bottom, xOf(timeMs), bottom + 4], quiet));
  shapes.push(...timeLabels(view, { left: x, width, rightRoom: SCALE_GAP }, bottom + 1, quiet));
  if (ends) {
    const place = { x: box.left + box.width + SCALE_GAP, y: box.top, length: box.height, direction: "up" } as const;
    const scaleLegend = { colours: steps, labels: scaleLabels(ends), title: quantity.unit };
    shapes.push(...colourBar(place, scaleLegend, { label: quiet, title: quiet }));
  }
  return {
    ...size,
    background: theme.colour("--surface"),
    fontFamily: theme.fontFamily,
    shapes,
    title: diagram.title,
  };
}

interface Binned {
  readonly bins: Bins;
  /** The time that a value covers: its interval, or from its moment until the next value is due. */
  readonly lengthMs: number;
  /** From its start to the time of the value. */
  readonly afterStartMs: number;
}

function binsOf(
  { track }: PanelLine,
  { view: whole, isAnomaly }: Hovmoller,
  view: TimeRange,
  width: number,
): Binned | null {
  if (!track) return null;
  const mean = isAnomaly ? summaryOf(track, whole)?.mean : 0;
  if (mean === undefined) return null;
  const bins = createBins();
  binTrack(shiftTrack(track, -mean), view, Math.round(width), bins);
  const { cell = null, stepMs } = track;
  const lengthMs = cell?.kind === "interval" ? cell.lengthMs : stepMs;
  return { bins, lengthMs, afterStartMs: timeAfterStartMs(cell) };
}

type Ends = readonly [number, number] | null;

/** Time resolution at which the range of values is determined. */
const SCALE_COLUMNS = 400;
/** Cached, because every frame of a movement needs them. */
const endsOf = new WeakMap<Hovmoller, { readonly ends: Ends }>();

/** Returns round ends of the scale around most values; symmetric around zero for anomalies. */
function scaleEnds(diagram: Hovmoller): Ends {
  const known = endsOf.get(diagram);
  if (known) return known.ends;
  const binned = diagram.rows.map(({ line }) => binsOf(line, diagram, diagram.view, SCALE_COLUMNS));
  const values = binned.flatMap((bins) => (bins ? [...bins.bins.mean.subarray(0, bins.bins.n)] : []));
  const ends = endsAround(values, diagram.isAnomaly);
  endsOf.set(diagram, { ends });
  return ends;
}

function endsAround(values: readonly number[], isAnomaly: boolean): Ends {
  const means = Float64Array.from(values);
  const rough = scaleDomain(means, 1e-9, null);
  if (!rough) return null;
  const stepSize = 10 ** Math.floor(Math.log10(Math.max(1e-6, rough[1] - rough[0]))) / 2;
  const ends = scaleDomain(means, stepSize, null);
  return ends && isAnomaly ? aroundZero(ends) : ends;
}

interface Run {
  readonly x: number;
  readonly width: number;
  readonly step: number;
}

/** Merges adjacent values of one colour. */
function colourRuns(
  { bins, lengthMs, afterStartMs }: Binned,
  [low, high]: readonly [number, number],
  steps: number,
  { view, box }: { readonly view: TimeRange; readonly box: Area },
): Run[] {
  const perMs = box.width / (view.endMs - view.startMs);
  const xOf = (ms: number): number => (ms - afterStartMs - view.startMs) * perMs;
  const runs: { x: number; end: number; step: number }[] = [];
  for (let i = 0; i < bins.n; i++) {
    const share = ((bins.mean[i] ?? Number.NaN) - low) / (high - low);
    if (Number.isNaN(share)) continue;
    const step = Math.round(Math.min(1, Math.max(0, share)) * (steps - 1));
    const x = box.left + Math.floor(xOf(bins.fromMs[i] ?? 0));
    const end = box.left + Math.ceil(xOf((bins.toMs[i] ?? 0) + lengthMs));
    const last = runs.at(-1);
    if (last && last.step === step && x <= last.end + 1) last.end = Math.max(last.end, end);
    else {
      if (last) last.end = Math.min(last.end, Math.max(last.x + 1, x));
      runs.push({ x, end, step });
    }
  }
  return runs.map(({ x, end, step }) => ({ x, width: Math.max(1, end - x), step }));
}

/** The digits of the labels of a scale distinguish them. */
function scaleLabels([low, high]: readonly [number, number]): (readonly [number, string])[] {
  const digits = high - low < 5 ? 2 : high - low < 50 ? 1 : 0;
  return [0, 0.5, 1].map((share) => [share, decimal(low + share * (high - low), digits)]);
}
