import type { GapCause } from "#shared/series/gap.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { type Bins, binTrack, createBins } from "../bins.ts";
import { gapMark } from "../gapMarks.ts";
import { laneAreaPx, laneBox, lanesOf, type LanePiece, sharedBox } from "../lanes.ts";
import { allLines, type PanelModel } from "../panel.ts";
import { hatchOpacity } from "../rawMarks.ts";
import { type Box, paddedLimits, yOf } from "../scale.ts";
import type { PlotTheme } from "../theme.ts";
import { timeTicks } from "../timeTicks.ts";
import type { Track } from "../track.ts";
import { axisNumber, axisTitle } from "../values.ts";
import { valueTicks } from "../valueTicks.ts";
import { lineShapes } from "./lineShapes.ts";
import { text, textWidth } from "./page.ts";
import { rawShapes } from "./rawShapes.ts";
import type { Shape } from "./scene.ts";
import { timeLabels } from "./timeAxis.ts";

/** Left of a plot, for the numbers of its axis. */
const NUMBERS = 46;
/** Above a plot, so that the uppermost number of its axis lies below the heading. */
const HEADING = 24;
const AXIS = 36;

export interface DrawnPanel {
  readonly shapes: readonly Shape[];
  readonly hasSigma: boolean;
  readonly hasRange: boolean;
  /** Ids of the lines with a value in the range. */
  readonly withValues: ReadonlySet<string>;
}

/** Height of a panel whose plot has this height. */
export function panelHeight(model: PanelModel, plot: number): number {
  return plot + HEADING + laneAreaPx(model.lines.length) + (model.hasTimeAxis ? AXIS : 0);
}

/** One panel with its heading and axes, from the upper left corner. @param causes receives those of the gaps drawn */
export function drawPanel(
  model: PanelModel,
  view: TimeRange,
  theme: PlotTheme,
  wholeWidth: number,
  wholeHeight: number,
  causes: Set<GapCause>,
): DrawnPanel {
  const left = NUMBERS;
  const top = HEADING;
  // Whole, as marks are placed on whole columns: lines then lie exactly on the axis of time.
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
  const [low, high] =
    model.limits ??
    paddedLimits(
      Math.min(...drawn.map((d) => d.bins.low), drawn.length > 0 ? Infinity : Number.NaN),
      Math.max(...drawn.map((d) => d.bins.high), drawn.length > 0 ? -Infinity : Number.NaN),
    );
  const box: Box = { left, top, width, height, low, high };
  const grid = theme.colour("--line");
  const quiet = theme.colour("--text-2");
  const shapes: Shape[] = [text(0, top - 12, headingOf(model, wholeWidth), theme.colour("--text"), { weight: 600 })];

  const values = valueTicks(low, high, Math.max(3, Math.min(6, height / 22)));
  for (const value of values.values) {
    const y = yOf(box, value);
    shapes.push(stroke([left, y, left + width, y], grid));
    shapes.push(text(left - 6, y + 4, axisNumber(value, values.decimals), quiet, { anchor: "end" }));
  }
  for (const { timeMs } of timeTicks(view, width)) {
    const x = left + ((timeMs - view.startMs) / (view.endMs - view.startMs)) * width;
    shapes.push(stroke([x, top, x, top + height], grid));
  }
  const foot = top + height + laneAreaPx(model.lines.length);
  if (model.hasTimeAxis) shapes.push(...timeLabels(view, { left, width, rightRoom: 0 }, foot, quiet));

  const gaps = gapShapes(model, view, box, raws.length > 0, theme, causes);
  const inside: Shape[] = [...gaps.inside];
  for (const { bins, colour } of raws) inside.push(...rawShapes(bins, box, theme.colour(colour)));
  for (const { line, bins, stepMs } of lines) {
    inside.push(...lineShapes(bins, stepMs, box, { colour: theme.colour(line.colour), dash: line.dash }));
  }
  shapes.push(...gaps.below, { kind: "clip", x: left, y: top, width, height, shapes: inside });
  return {
    shapes,
    hasSigma: lines.some(({ bins }) => bins.sigma.subarray(0, bins.n).some((sigma) => !Number.isNaN(sigma))),
    hasRange: lines.some(({ bins }) => !bins.isExact && bins.n > 0),
    withValues: new Set(drawn.map(({ stationId }) => stationId)),
  };
}

/** "Kallio, ZTD (mm)"; of a name that is too long, its beginning. */
function headingOf({ heading, quantity }: PanelModel, width: number): string {
  const title = axisTitle(quantity);
  if (heading === undefined) return title;
  const room = Math.max(1, Math.floor((width - textWidth(`, ${title}`)) / textWidth("x")));
  return `${heading.length > room ? `${heading.slice(0, room - 1)}…` : heading}, ${title}`;
}

/** Gaps of one station in its plot, with their words where there is room; of several in lanes below it. */
function gapShapes(
  model: PanelModel,
  view: TimeRange,
  box: Box,
  hasRaw: boolean,
  theme: PlotTheme,
  causes: Set<GapCause>,
): { readonly inside: readonly Shape[]; readonly below: readonly Shape[] } {
  const { top, height, width } = box;
  const inside: Shape[] = [];
  const below: Shape[] = [];
  const isSingle = model.lines.length === 1;
  for (const lane of lanesOf(model.gaps, view, width)) {
    const index = lane.stationId === null ? 0 : model.lines.findIndex((line) => line.stationId === lane.stationId);
    if (index < 0) continue;
    const place = laneBox(index, model.lines.length);
    const strip = isSingle ? { y: top, height } : { y: top + height + place.topPx, height: place.heightPx };
    for (const piece of lane.pieces) {
      const at = placeOf(piece, view, box);
      if (!at) continue;
      causes.add(piece.cause);
      const dimmed = hatchOpacity(piece.cause, isSingle && hasRaw);
      const isJoint = lane.stationId === null;
      const shared = sharedBox({ top: strip.y, height: strip.height }, piece, model.gaps.length, 2);
      const filled = isJoint ? { y: shared.top, height: shared.height } : strip;
      const opacity = isJoint ? 1 : dimmed;
      (isSingle ? inside : below).push({ kind: "hatch", ...filled, ...at, cause: piece.cause, opacity });
      const { word } = gapMark(piece.cause);
      const room = textWidth(word) + 16;
      if (!isSingle || at.width < room) continue;
      const middle = at.x + at.width / 2;
      const ground = { x: middle - room / 2 + 4, y: top + 4, width: room - 8, height: 16 };
      inside.push({ kind: "rect", ...ground, colour: theme.colour("--surface"), opacity: 1 });
      inside.push(text(middle, top + 16, word, theme.colour("--text-2"), { anchor: "middle" }));
    }
  }
  return { inside, below };
}

function placeOf({ range }: LanePiece, view: TimeRange, { left, width }: Box): { x: number; width: number } | null {
  const perMs = width / (view.endMs - view.startMs);
  const from = Math.max(0, (range.startMs - view.startMs) * perMs);
  const to = Math.min(width, (range.endMs - view.startMs) * perMs);
  return to > from ? { x: left + from, width: to - from } : null;
}

function stroke(points: readonly number[], colour: string): Shape {
  return { kind: "line", points, colour, width: 1, dash: [] };
}
