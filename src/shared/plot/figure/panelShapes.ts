import type { GapCause } from "#shared/series/gap.ts";
import { intersectRange, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { difference, rangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { annotationShapes } from "../annotations.ts";
import { gapMark } from "../gapMarks.ts";
import { JOINT_COLOUR, LANE_OPACITY, laneAreaPx, laneBox, sharedBox } from "../lanes.ts";
import { allLines, lanedLines, type PanelLine, type PanelModel, subjectOf } from "../panel.ts";
import { PanelContent } from "../panelContent.ts";
import { hatchOpacity } from "../rawMarks.ts";
import type { Box } from "../scale.ts";
import type { PlotTheme } from "../theme.ts";
import { axisTitle } from "../values.ts";
import { axes, plotBox } from "./axes.ts";
import { bandShapes, rawShapes, strokeShapes } from "./lineShapes.ts";
import { hatchShape, text, textWidth } from "./page.ts";
import type { Shape, VectorShape } from "./scene.ts";

/** Of the times below a plot, and their dates. */
export const TIME_AXIS_HEIGHT = 36;
/** Room for the labels of the value axis of a figure, and for its heading. */
const FIGURE_ROOM = { left: 46, right: 0, top: 24 };

/** Opacity of the other lines while one is highlighted, as two digits of a colour. */
const DIMMED = "38";

export interface DrawnPanel {
  readonly shapes: readonly VectorShape[];
  readonly hasSigma: boolean;
  readonly hasRange: boolean;
  /** Ids of the lines with a value in the range. */
  readonly withValues: ReadonlySet<string>;
}

export function panelHeight(model: PanelModel, plot: number): number {
  return plot + FIGURE_ROOM.top + footHeight(model);
}

/** The height below the plot of a panel: the lanes of its gaps, and its time axis. */
function footHeight(model: PanelModel): number {
  return laneAreaPx(lanedLines(model).length) + (model.hasTimeAxis ? TIME_AXIS_HEIGHT : 0);
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
export function drawPanel(model: PanelModel, drawing: Drawing, width: number, height: number): DrawnPanel {
  const frame = { width, height, room: { ...FIGURE_ROOM, bottom: footHeight(model) } };
  const content = new PanelContent(model);
  content.prepare(drawing.view, Math.round(plotBox(frame).width));
  const heading = text([0, FIGURE_ROOM.top - 12], headingOf(model, width), drawing.theme.colour("--text"), {
    weight: 600,
  });
  const lines = [...content.bins.values()];
  const withValues = [...content.bins, ...content.rawBins].filter(([, bins]) => !Number.isNaN(bins.low));
  for (const { segments } of content.lanes)
    for (const { range, cause } of segments)
      if (!isEmpty(intersectRange(range, drawing.view))) drawing.causes.add(cause);
  const [low, high] = content.bounds;
  const time = { time: drawing.view, gapPx: laneAreaPx(lanedLines(model).length), hasLabels: model.hasTimeAxis };
  const { box, shapes } = axes({ ...frame, x: time, y: { low, high, label: "" }, theme: drawing.theme });
  return {
    shapes: [heading, ...shapes, ...panelShapes(content, box, { ...drawing, bandsOf: vectorBands })],
    hasSigma: lines.some(({ n, sigma }) => sigma.subarray(0, n).some((each) => !Number.isNaN(each))),
    hasRange: lines.some(({ n, isExact }) => !isExact && n > 0),
    withValues: new Set(withValues.map(([id]) => id)),
  };
}

/** "Kallio, ZTD (mm)", with a long name shortened. */
function headingOf({ heading, quantity }: PanelModel, width: number): string {
  const title = axisTitle(quantity);
  if (heading === undefined) return title;
  const maxLength = Math.max(1, Math.floor((width - textWidth(`, ${title}`)) / textWidth("x")));
  return `${heading.length > maxLength ? `${heading.slice(0, maxLength - 1)}…` : heading}, ${title}`;
}

interface PanelLook<S> extends Omit<Drawing, "causes"> {
  /** The line that is drawn in front of the others, which are dimmed; by default, none. */
  readonly highlighted?: string | null;
  /** null: the bands are drawn with their solid lines. */
  readonly lineWidth?: number | null;
  /** Draws raw rows, value ranges and standard deviations of lines, in this order. */
  readonly bandsOf: (
    content: PanelContent,
    box: Box,
    lines: readonly PanelLine[],
    colourOf: (line: PanelLine) => string,
  ) => readonly S[];
}

/** Draws the content of a panel inside its axes, after it was prepared: gaps, lines and annotations. @template S kinds of its bands */
export function panelShapes<S extends Shape>(content: PanelContent, box: Box, look: PanelLook<S>): (S | VectorShape)[] {
  const { view, theme, lineWidth, highlighted: wanted = null } = look;
  const { model } = content;
  const all = allLines(model);
  // A line may be removed while its name is pointed at.
  const highlighted = all.find(({ stationId }) => stationId === wanted);
  // Beside an earlier time, the two lines of a station are compared.
  const isInFront = (line: PanelLine): boolean => !!highlighted && subjectOf(line) === subjectOf(highlighted);
  const lines = highlighted ? all.toSorted((a, b) => Number(isInFront(a)) - Number(isInFront(b))) : all;
  const colourOf = (line: PanelLine): string =>
    theme.colour(line.colour) + (!highlighted || isInFront(line) ? "" : DIMMED);
  const strokes = lines.flatMap((line) => {
    const bins = content.bins.get(line.stationId);
    if (!bins || !line.track) return [];
    const own = { colour: colourOf(line), dash: line.dash, ...(lineWidth === undefined ? {} : { width: lineWidth }) };
    return strokeShapes({ bins, stepMs: line.track.stepMs, box }, own);
  });
  const { inside, below } = gapShapes(content, look, box);
  const words = { colour: theme.colour("--text-2"), background: theme.colour("--surface") };
  const annotations = model.annotations ? annotationShapes(model.annotations, box, view, words) : [];
  const plot = [...inside, ...look.bandsOf(content, box, lines, colourOf), ...strokes, ...annotations];
  const { left: x, top: y, width, height } = box;
  return [...below, { kind: "clip", x, y, width, height, shapes: plot } as S | VectorShape];
}

function vectorBands(
  { bins, rawBins }: PanelContent,
  box: Box,
  lines: readonly PanelLine[],
  colourOf: (line: PanelLine) => string,
): VectorShape[] {
  const raws = lines.flatMap((line) => {
    const raw = line.rejected && rawBins.get(line.stationId);
    return raw ? rawShapes(raw, box, colourOf(line)) : [];
  });
  const bands = lines.flatMap((line) => {
    const own = line.track && bins.get(line.stationId);
    return own ? bandShapes({ bins: own, stepMs: line.track.stepMs, box }, colourOf(line)) : [];
  });
  return [...raws, ...bands];
}

/** Draws gaps: of one station in its plot, labelled if there is space; of several stations in lanes below it, in their colours. */
function gapShapes(
  { model, lanes }: PanelContent,
  { view, nowMs, theme }: Pick<Drawing, "view" | "nowMs" | "theme">,
  box: Box,
): { readonly inside: readonly VectorShape[]; readonly below: readonly VectorShape[] } {
  const { top, height } = box;
  const inside: VectorShape[] = [];
  const below: VectorShape[] = [];
  const lines = lanedLines(model);
  const isSingle = lines.length === 1;
  const hasRaw = isSingle && lines[0]?.rejected !== null;
  const surface = theme.colour("--surface");
  for (const lane of lanes) {
    const isJoint = lane.stationId === null;
    const index = isJoint ? 0 : lines.findIndex((line) => line.stationId === lane.stationId);
    const line = lines[index];
    if (!line) continue;
    const segments = lane.segments.flatMap((segment) => {
      const at = extentOf(segment.range, view, box);
      return at ? [{ ...segment, at }] : [];
    });
    if (isSingle) {
      for (const { at, cause } of segments) {
        const { word } = gapMark(cause);
        inside.push(hatchShape({ y: top, height, ...at }, cause, theme, hatchOpacity(cause, hasRaw)));
        if (at.width >= textWidth(word) + 16) inside.push(...label(at.x + at.width / 2, top, word, theme));
      }
      continue;
    }
    const place = laneBox(index, lines.length);
    const strip = { y: top + height + place.topPx, height: place.heightPx };
    const past = { startMs: view.startMs, endMs: Math.min(view.endMs, nowMs + (line.earlier?.byMs ?? 0)) };
    const covered = isJoint ? [past] : difference(rangeSet([past]), rangeSet(segments.map(({ range }) => range)));
    const colour = theme.colour(isJoint ? JOINT_COLOUR : line.colour);
    for (const range of covered) {
      const at = extentOf(range, view, box);
      if (at) below.push({ kind: "rect", ...strip, ...at, colour, opacity: LANE_OPACITY });
    }
    for (const { at, cause, ...segment } of segments) {
      const bar = isJoint ? sharedBox(strip, segment.stations, model.gaps.length) : strip;
      if (isJoint) below.push({ kind: "rect", ...bar, ...at, colour: surface, opacity: 1 });
      below.push(hatchShape({ ...bar, ...at }, cause, theme));
    }
  }
  return { inside, below };
}

/** The name of the cause of a gap, on a ground that covers the grid. */
function label(middle: number, top: number, word: string, theme: PlotTheme): VectorShape[] {
  const width = textWidth(word) + 8;
  const ground = { x: middle - width / 2, y: top + 4, width, height: 16 };
  return [
    { kind: "rect", ...ground, colour: theme.colour("--surface"), opacity: 1 },
    text([middle, top + 16], word, theme.colour("--text-2"), { anchor: "middle" }),
  ];
}

/** The shortest gap is a pixel wide. */
function extentOf(range: TimeRange, view: TimeRange, { left, width }: Box): { x: number; width: number } | null {
  const perMs = width / (view.endMs - view.startMs);
  const from = Math.max(0, (range.startMs - view.startMs) * perMs);
  const to = Math.min(width, (range.endMs - view.startMs) * perMs);
  return to > from ? { x: left + from, width: Math.max(1, to - from) } : null;
}
