import { formatUtcShort } from "#shared/time/utc.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { GapCause } from "#shared/series/gap.ts";
import { type Bins, binTrack, createBins } from "../bins.ts";
import { GAP_MARKS, gapMark } from "../gapMarks.ts";
import { laneAreaPx, laneBox, lanesOf, type LanePiece, sharedBox } from "../lanes.ts";
import { allLines, type PanelLine, type PanelModel } from "../panel.ts";
import { hatchOpacity } from "../rawMarks.ts";
import { type Box, paddedLimits, yOf } from "../scale.ts";
import type { PlotTheme } from "../theme.ts";
import type { Track } from "../track.ts";
import { timeTicks } from "../timeTicks.ts";
import { quantityTitle } from "../values.ts";
import { valueTicks } from "../valueTicks.ts";
import { lineShapes } from "./lineShapes.ts";
import { rawShapes, rawSwatch } from "./rawShapes.ts";
import type { Scene, Shape } from "./scene.ts";
import { decimal } from "#shared/text.ts";

export interface FigureWords {
  readonly title: string;
  /** Where the data are from, when and by what the picture was made. */
  readonly provenance: string;
}

const WIDTH = 1_200;
const MARGIN = 24;
const LEFT = 72;
const PANEL = 240;
const PANEL_GAP = 34;
const AXIS = 40;
const SIZE = 12;
/** Mean width of a letter, as a share of the size: room for a name without a canvas to measure it on. */
const LETTER = 0.58;
const RAW_WORDS = "raw rows behind";

/** The panels as a picture with everything that it takes to understand it on its own. */
export function composeFigure(
  models: readonly PanelModel[],
  view: TimeRange,
  theme: PlotTheme,
  words: FigureWords,
): Scene {
  const ink = theme.colour("--text");
  const quiet = theme.colour("--text-2");
  const shapes: Shape[] = [text(MARGIN, 36, words.title, ink, { size: 18, weight: 600 })];
  const range = `${formatUtcShort(view.startMs)} to ${formatUtcShort(view.endMs)}`;
  shapes.push(text(MARGIN, 56, range, quiet));
  const named = namedLines(models);
  const hasRaw = models.some((model) => model.lines.some((line) => line.behind !== null));
  const legend = flow([...named.map((line) => line.name), ...(hasRaw ? [RAW_WORDS] : [])], 76);
  named.forEach(({ name, colour, dash }, i) => {
    const { x, y } = legend.places[i]!;
    const points = [x, y - 4, x + 20, y - 4];
    shapes.push({ kind: "line", points, colour: theme.colour(colour), width: 2.5, dash }, text(x + 26, y, name, ink));
  });
  if (hasRaw) {
    const { x, y } = legend.places.at(-1)!;
    shapes.push(rawSwatch(x, y - 4, ink), text(x + 26, y, RAW_WORDS, ink));
  }

  const causes = new Set<GapCause>();
  let top = legend.bottom + 30;
  for (const model of models) {
    const panel = panelShapes(model, view, theme, top, causes);
    shapes.push(...panel.shapes);
    top = panel.bottom + PANEL_GAP;
  }
  const marks = GAP_MARKS.filter((mark) => causes.has(mark.cause));
  const footer = flow(
    marks.map((mark) => mark.word),
    top,
  );
  marks.forEach(({ cause, word }, i) => {
    const { x, y } = footer.places[i]!;
    shapes.push(
      { kind: "hatch", x, y: y - 10, width: 20, height: 12, cause, opacity: 1 },
      text(x + 26, y, word, quiet),
    );
  });
  const height = footer.bottom + 36;
  shapes.push(text(MARGIN, height - 16, words.provenance, quiet, { size: 11 }));
  return {
    width: WIDTH,
    height,
    background: theme.colour("--surface"),
    fontFamily: theme.fontFamily,
    title: `${words.title}, ${range}`,
    colourOf: theme.colour,
    shapes,
  };
}

function panelShapes(
  model: PanelModel,
  view: TimeRange,
  theme: PlotTheme,
  top: number,
  causes: Set<GapCause>,
): { readonly shapes: readonly Shape[]; readonly bottom: number } {
  const width = WIDTH - LEFT - MARGIN;
  const binned = (track: Track): Bins => {
    const bins = createBins();
    binTrack(track, view, width, bins);
    return bins;
  };
  const lines = allLines(model).flatMap((line) =>
    line.track ? [{ line, bins: binned(line.track), stepMs: line.track.stepMs }] : [],
  );
  const raws = model.lines.flatMap(({ behind, colour }) => (behind ? [{ bins: binned(behind.track), colour }] : []));
  const drawn = [...lines, ...raws].filter(({ bins }) => !Number.isNaN(bins.low));
  const [low, high] =
    model.limits ??
    paddedLimits(
      Math.min(...drawn.map((d) => d.bins.low), drawn.length > 0 ? Infinity : Number.NaN),
      Math.max(...drawn.map((d) => d.bins.high), drawn.length > 0 ? -Infinity : Number.NaN),
    );
  const box: Box = { left: LEFT, top, width, height: PANEL, low, high };
  const grid = theme.colour("--line");
  const quiet = theme.colour("--text-2");
  const shapes: Shape[] = [
    text(LEFT, top - 10, quantityTitle(model.quantity), theme.colour("--text"), { weight: 600 }),
  ];

  const values = valueTicks(low, high, 6);
  for (const value of values.values) {
    const y = yOf(box, value);
    shapes.push(stroke([LEFT, y, LEFT + width, y], grid));
    shapes.push(text(LEFT - 8, y + 4, decimal(value, values.decimals), quiet, { anchor: "end" }));
  }
  const foot = top + PANEL + laneAreaPx(model.lines.length);
  for (const { timeMs, label, context } of timeTicks(view, width)) {
    const x = LEFT + ((timeMs - view.startMs) / (view.endMs - view.startMs)) * width;
    shapes.push(stroke([x, top, x, top + PANEL], grid));
    if (!model.hasTimeAxis) continue;
    shapes.push(text(x, foot + 16, label, quiet, { anchor: "middle" }));
    if (context) shapes.push(text(x, foot + 32, context, quiet, { anchor: "middle" }));
  }
  if (model.hasTimeAxis) shapes.push(text(LEFT - 8, foot + 16, "UTC", quiet, { anchor: "end" }));

  const inside: Shape[] = [];
  const lanes = lanesOf(model.gaps, view, width);
  const isSingle = model.lines.length === 1;
  for (const lane of lanes) {
    const index = lane.stationId === null ? 0 : model.lines.findIndex((line) => line.stationId === lane.stationId);
    if (index < 0) continue;
    const place = laneBox(index, model.lines.length);
    const strip = isSingle ? { y: top, height: PANEL } : { y: top + PANEL + place.topPx, height: place.heightPx };
    for (const piece of lane.pieces) {
      const at = placeOf(piece, view, width);
      if (!at) continue;
      causes.add(piece.cause);
      const dimmed = hatchOpacity(piece.cause, isSingle && raws.length > 0);
      const isJoint = lane.stationId === null;
      const shared = sharedBox({ top: strip.y, height: strip.height }, piece, model.gaps.length, 2);
      const filled = isJoint ? { y: shared.top, height: shared.height } : strip;
      const opacity = isJoint ? 1 : dimmed;
      (isSingle ? inside : shapes).push({ kind: "hatch", ...filled, ...at, cause: piece.cause, opacity });
      const { word } = gapMark(piece.cause);
      if (!isSingle || at.width < roomFor(word)) continue;
      const middle = at.x + at.width / 2;
      const ground = { x: middle - roomFor(word) / 2 + 4, y: top + 4, width: roomFor(word) - 8, height: 16 };
      inside.push({ kind: "rect", ...ground, colour: theme.colour("--surface"), opacity: 1 });
      inside.push(text(middle, top + 16, word, quiet, { anchor: "middle" }));
    }
  }
  for (const { bins, colour } of raws) inside.push(...rawShapes(bins, box, theme.colour(colour)));
  for (const { line, bins, stepMs } of lines) {
    inside.push(...lineShapes(bins, stepMs, box, { colour: theme.colour(line.colour), dash: line.dash }));
  }
  shapes.push({ kind: "clip", x: LEFT, y: top, width, height: PANEL, shapes: inside });
  return { shapes, bottom: foot + (model.hasTimeAxis ? AXIS : 0) };
}

/** Every station and every series of a file once, though it may be in several panels. */
function namedLines(models: readonly PanelModel[]): readonly PanelLine[] {
  const stations = models[0]?.lines ?? [];
  const fromFiles = new Map(models.flatMap((model) => model.fromFiles.map((line) => [line.stationId, line] as const)));
  return [...stations, ...fromFiles.values()];
}

function placeOf({ range }: LanePiece, view: TimeRange, width: number): { x: number; width: number } | null {
  const perMs = width / (view.endMs - view.startMs);
  const from = Math.max(0, (range.startMs - view.startMs) * perMs);
  const to = Math.min(width, (range.endMs - view.startMs) * perMs);
  return to > from ? { x: LEFT + from, width: to - from } : null;
}

/** Places of entries with a swatch before each, line after line. */
function flow(names: readonly string[], top: number) {
  let x = MARGIN;
  let y = top;
  const places = names.map((name) => {
    const width = 26 + roomFor(name);
    if (x > MARGIN && x + width > WIDTH - MARGIN) {
      x = MARGIN;
      y += 20;
    }
    const place = { x, y };
    x += width;
    return place;
  });
  return { places, bottom: y };
}

function roomFor(name: string): number {
  return name.length * SIZE * LETTER + 16;
}

function stroke(points: readonly number[], colour: string): Shape {
  return { kind: "line", points, colour, width: 1, dash: [] };
}

interface TextLook {
  readonly size?: number;
  readonly weight?: number;
  readonly anchor?: "start" | "middle" | "end";
}

function text(x: number, y: number, words: string, colour: string, look: TextLook = {}): Shape {
  const { size = SIZE, weight = 400, anchor = "start" } = look;
  return { kind: "text", x, y, text: words, size, weight, anchor, colour };
}
