import type { GapCause } from "#shared/series/gap.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { difference, rangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { annotationShapes } from "../annotations.ts";
import { type Bins, binTrack, createBins } from "../bins.ts";
import { gapMark } from "../gapMarks.ts";
import { LANE_OPACITY, laneAreaPx, laneBox, lanesOf, sharedBox } from "../lanes.ts";
import { allLines, type PanelModel } from "../panel.ts";
import { hatchOpacity } from "../rawMarks.ts";
import { type Box, paddedBounds, valueTicks, yOf } from "../scale.ts";
import type { PlotTheme } from "../theme.ts";
import { timeTicks } from "../timeTicks.ts";
import type { Track } from "../track.ts";
import { axisNumber, axisTitle } from "../values.ts";
import { lineShapes, rawShapes } from "./lineShapes.ts";
import { hatchShape, text, textWidth } from "./page.ts";
import type { VectorShape } from "./scene.ts";
import { timeLabels } from "./timeAxis.ts";

/** Width left of a plot for the labels of its value axis. */
const VALUE_AXIS_WIDTH = 46;
/** Height above a plot, so that the uppermost label of its value axis is below the heading. */
const HEADING_HEIGHT = 24;
const TIME_AXIS_HEIGHT = 36;

export interface DrawnPanel {
  readonly shapes: readonly VectorShape[];
  readonly hasSigma: boolean;
  readonly hasRange: boolean;
  /** Ids of the lines with a value in the range. */
  readonly withValues: ReadonlySet<string>;
}

/** Returns the height of a panel from the height of its plot. */
export function panelHeight(model: PanelModel, plot: number): number {
  return plot + HEADING_HEIGHT + laneAreaPx(model.lines.length) + (model.hasTimeAxis ? TIME_AXIS_HEIGHT : 0);
}

/** What all panels of a figure share. */
export interface Drawing {
  readonly view: TimeRange;
  /** When the figure is drawn: there is no data after it. */
  readonly nowMs: UtcMs;
  /** Receives the causes of drawn gaps. */
  readonly causes: Set<GapCause>;
  readonly theme: PlotTheme;
}

/** Draws a panel with heading and axes with its upper left corner at 0, 0. */
export function drawPanel(model: PanelModel, drawing: Drawing, wholeWidth: number, wholeHeight: number): DrawnPanel {
  const { view, theme } = drawing;
  const left = VALUE_AXIS_WIDTH;
  const top = HEADING_HEIGHT;
  // An integer, because marks are placed in pixel columns: so they match the time axis exactly.
  const width = Math.max(1, Math.floor(wholeWidth - left));
  const height = Math.max(1, wholeHeight - panelHeight(model, 0));
  const binned = (track: Track): Bins => {
    const bins = createBins();
    binTrack(track, view, width, bins);
    return bins;
  };
  const lines = allLines(model).flatMap((line) =>
    line.track ? [{ line, stationId: line.stationId, bins: binned(line.track), stepMs: line.track.stepMs }] : [],
  );
  const raws = model.lines.flatMap(({ behind, colour, stationId }) =>
    behind ? [{ bins: binned(behind.track), colour, stationId }] : [],
  );
  const drawn = [...lines, ...raws].filter(({ bins }) => !Number.isNaN(bins.low));
  const thresholds = model.annotations?.thresholds.map(({ value }) => value) ?? [];
  const isEmpty = drawn.length + thresholds.length === 0;
  const [low, high] =
    model.bounds ??
    paddedBounds(
      Math.min(...drawn.map((d) => d.bins.low), ...thresholds, isEmpty ? Number.NaN : Infinity),
      Math.max(...drawn.map((d) => d.bins.high), ...thresholds, isEmpty ? Number.NaN : -Infinity),
    );
  const box: Box = { left, top, width, height, low, high };
  const grid = theme.colour("--line");
  const quiet = theme.colour("--text-2");
  const shapes: VectorShape[] = [
    text([0, top - 12], headingOf(model, wholeWidth), theme.colour("--text"), { weight: 600 }),
  ];

  const values = valueTicks(low, high, Math.max(3, Math.min(6, height / 22)));
  for (const value of values.values) {
    const y = yOf(box, value);
    shapes.push(stroke([left, y, left + width, y], grid));
    shapes.push(text([left - 6, y + 4], axisNumber(value, values), quiet, { anchor: "end" }));
  }
  for (const { timeMs } of timeTicks(view, width)) {
    const x = left + ((timeMs - view.startMs) / (view.endMs - view.startMs)) * width;
    shapes.push(stroke([x, top, x, top + height], grid));
  }
  const foot = top + height + laneAreaPx(model.lines.length);
  if (model.hasTimeAxis) shapes.push(...timeLabels(view, { left, width, rightRoom: 0 }, foot, quiet));

  const gaps = gapShapes(model, drawing, box, raws.length > 0);
  const inside: VectorShape[] = [...gaps.inside];
  for (const { bins, colour } of raws) inside.push(...rawShapes(bins, box, theme.colour(colour)));
  for (const { line, bins, stepMs } of lines) {
    inside.push(...lineShapes(bins, stepMs, box, { colour: theme.colour(line.colour), dash: line.dash }));
  }
  if (model.annotations) {
    const look = { colour: theme.colour("--text-2"), background: theme.colour("--surface") };
    inside.push(...annotationShapes(model.annotations, box, view, look));
  }
  shapes.push(...gaps.below, { kind: "clip", x: left, y: top, width, height, shapes: inside });
  return {
    shapes,
    hasSigma: lines.some(({ bins }) => bins.sigma.subarray(0, bins.n).some((sigma) => !Number.isNaN(sigma))),
    hasRange: lines.some(({ bins }) => !bins.isExact && bins.n > 0),
    withValues: new Set(drawn.map(({ stationId }) => stationId)),
  };
}

/** "Kallio, ZTD (mm)", with a long name shortened. */
function headingOf({ heading, quantity }: PanelModel, width: number): string {
  const title = axisTitle(quantity);
  if (heading === undefined) return title;
  const maxLength = Math.max(1, Math.floor((width - textWidth(`, ${title}`)) / textWidth("x")));
  return `${heading.length > maxLength ? `${heading.slice(0, maxLength - 1)}…` : heading}, ${title}`;
}

/** Draws gaps: of one station in its plot, labelled if there is space; of several stations in lanes below it, in their colours. */
function gapShapes(
  model: PanelModel,
  { view, nowMs, causes, theme }: Drawing,
  box: Box,
  hasRaw: boolean,
): { readonly inside: readonly VectorShape[]; readonly below: readonly VectorShape[] } {
  const { top, height, width } = box;
  const inside: VectorShape[] = [];
  const below: VectorShape[] = [];
  const isSingle = model.lines.length === 1;
  for (const lane of lanesOf(model.gaps, view, width)) {
    const index = lane.stationId === null ? 0 : model.lines.findIndex((line) => line.stationId === lane.stationId);
    if (index < 0) continue;
    const place = laneBox(index, model.lines.length);
    const strip = isSingle ? { y: top, height } : { y: top + height + place.topPx, height: place.heightPx };
    const isJoint = lane.stationId === null;
    if (!isSingle) {
      const colour = theme.colour(isJoint ? "--text-3" : (model.lines[index]?.colour ?? "--text-3"));
      const past = { startMs: view.startMs, endMs: Math.min(view.endMs, nowMs) };
      const covered = isJoint
        ? [past]
        : difference(rangeSet([past]), rangeSet(lane.segments.map(({ range }) => range)));
      for (const range of covered) {
        const at = extentOf(range, view, box);
        if (at) below.push({ kind: "rect", ...strip, ...at, colour, opacity: LANE_OPACITY });
      }
    }
    for (const segment of lane.segments) {
      const at = extentOf(segment.range, view, box);
      if (!at) continue;
      causes.add(segment.cause);
      const dimmed = hatchOpacity(segment.cause, isSingle && hasRaw);
      const shared = sharedBox({ top: strip.y, height: strip.height }, segment, model.gaps.length, 2);
      const filled = isJoint ? { y: shared.top, height: shared.height } : strip;
      const opacity = isJoint ? 1 : dimmed;
      if (isJoint && !isSingle)
        below.push({ kind: "rect", ...filled, ...at, colour: theme.colour("--surface"), opacity: 1 });
      (isSingle ? inside : below).push(hatchShape({ ...filled, ...at }, segment.cause, theme, opacity));
      const { word } = gapMark(segment.cause);
      const labelWidth = textWidth(word) + 16;
      if (!isSingle || at.width < labelWidth) continue;
      const middle = at.x + at.width / 2;
      const ground = { x: middle - labelWidth / 2 + 4, y: top + 4, width: labelWidth - 8, height: 16 };
      inside.push({ kind: "rect", ...ground, colour: theme.colour("--surface"), opacity: 1 });
      inside.push(text([middle, top + 16], word, theme.colour("--text-2"), { anchor: "middle" }));
    }
  }
  return { inside, below };
}

function extentOf(range: TimeRange, view: TimeRange, { left, width }: Box): { x: number; width: number } | null {
  const perMs = width / (view.endMs - view.startMs);
  const from = Math.max(0, (range.startMs - view.startMs) * perMs);
  const to = Math.min(width, (range.endMs - view.startMs) * perMs);
  return to > from ? { x: left + from, width: to - from } : null;
}

function stroke(points: readonly number[], colour: string): VectorShape {
  return { kind: "line", points, colour, width: 1, dash: [] };
}
