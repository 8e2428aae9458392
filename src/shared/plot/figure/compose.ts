import type { GapCause } from "#shared/series/gap.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { GAP_MARKS } from "../gapMarks.ts";
import { allLines, linesByName, type PanelModel } from "../panel.ts";
import type { PlotTheme } from "../theme.ts";
import { RANGE_OPACITY, rawSwatch, SIGMA_OPACITY } from "./lineShapes.ts";
import { type FigurePage, hatchShape, type LegendEntry } from "./page.ts";
import { type Drawing, type DrawnPanel, drawPanel, panelHeight } from "./panelShapes.ts";
import type { Scene, VectorShape } from "./scene.ts";
import { composeSheet, MARGIN, moved, type SheetPart } from "./sheet.ts";
import { hasJointLane, JOINT_COLOUR, JOINT_WORDS, LANE_OPACITY } from "../lanes.ts";

const MAX_PLOT_HEIGHT = 240;
const MIN_PLOT_HEIGHT = 120;
/** For one panel per line. */
const SMALL_PLOT_HEIGHT = 80;
const MIN_SMALL_WIDTH = 220;
const COLUMN_GAP = 16;

/** Composes panels, legend and captions to a self-contained figure. @param words notes are sentences below it */
export function composeFigure(
  models: readonly PanelModel[],
  view: TimeRange,
  words: { readonly title: string; readonly notes: readonly string[] },
  page: FigurePage,
): Scene<VectorShape> {
  // Drawn once in advance to find out what the legend contains.
  const causes = new Set<GapCause>();
  const drawing: Drawing = { view, nowMs: page.nowMs, causes, theme: page.theme };
  const width = page.width - 2 * MARGIN;
  const trial = models.map((model) => drawPanel(model, drawing, width, MAX_PLOT_HEIGHT));
  return composeSheet(
    {
      title: words.title,
      subtitle: `${formatUtcShort(view.startMs)} to ${formatUtcShort(view.endMs)}`,
      legend: [
        ...legendEntries(models, trial, page.theme),
        ...(hasJointLane(models) ? [noGapEntry(page.theme)] : []),
        ...gapEntries(causes, page.theme),
      ],
      parts: isSplit(models)
        ? smallParts(models, drawing, width)
        : models.map((model) => ({
            height: (partWidth) =>
              panelHeight(model, Math.min(MAX_PLOT_HEIGHT, Math.max(MIN_PLOT_HEIGHT, partWidth * 0.4))),
            draw: (partWidth, height) => drawPanel(model, drawing, partWidth, height).shapes,
          })),
      notes: [...words.notes, ...blankNote(models, trial)],
    },
    page,
  );
}

/** Names the stations of the legend that have no value in the range. */
function blankNote(models: readonly PanelModel[], drawn: readonly DrawnPanel[]): readonly string[] {
  const stations = new Map(models.flatMap(({ lines }) => lines.map((line) => [line.stationId, line.name] as const)));
  for (const { withValues } of drawn) for (const id of withValues) stations.delete(id);
  return stations.size === 0 ? [] : [`Without data in this range: ${[...stations.values()].join(", ")}.`];
}

/** Whether each line has its own panel with a heading. */
function isSplit(models: readonly PanelModel[]): boolean {
  return models[0]?.heading !== undefined;
}

/** Arranges small panels in rows and columns; the lowest of each column has a time axis. */
function smallParts(models: readonly PanelModel[], drawing: Drawing, wholeWidth: number): SheetPart<VectorShape>[] {
  const columns = Math.max(1, Math.min(Math.floor(wholeWidth / MIN_SMALL_WIDTH), Math.ceil(models.length / 4)));
  const cells = models.map((model, i) => ({ ...model, hasTimeAxis: i + columns >= models.length }));
  const rows = Array.from({ length: Math.ceil(cells.length / columns) }, (_, r) =>
    cells.slice(r * columns, (r + 1) * columns),
  );
  return rows.map((row) => {
    const frame = Math.max(...row.map((model) => panelHeight(model, 0)));
    return {
      height: () => frame + SMALL_PLOT_HEIGHT,
      draw: (width, height) => {
        const cellWidth = (width - (columns - 1) * COLUMN_GAP) / columns;
        return row.flatMap((model, column) => {
          const own = panelHeight(model, height - frame);
          const { shapes } = drawPanel(model, drawing, cellWidth, own);
          return shapes.map((shape) => moved(shape, column * (cellWidth + COLUMN_GAP), 0));
        });
      },
    };
  });
}

/** Entries of distinct stations and series of files, and of bands and raw points. */
function legendEntries(
  models: readonly PanelModel[],
  drawn: readonly DrawnPanel[],
  theme: PlotTheme,
): readonly LegendEntry[] {
  const lines = isSplit(models) ? [] : linesByName(models).flatMap((each) => each.slice(0, 1));
  const ink = theme.colour("--text");
  const band = (name: string, opacity: number): LegendEntry => ({
    name,
    swatch: (x, y) => [{ kind: "rect", x, y: y - 5, width: 20, height: 10, colour: ink, opacity }],
  });
  const hasRaw = models.some((model) => allLines(model).some((line) => line.rejected !== null));
  return [
    ...lines.map(({ name, colour, dash }) => lineEntry(name, theme.colour(colour), dash)),
    ...(drawn.some((panel) => panel.hasRange) ? [band("minimum to maximum", RANGE_OPACITY)] : []),
    ...(drawn.some((panel) => panel.hasSigma) ? [band("±1σ (formal)", SIGMA_OPACITY)] : []),
    ...(hasRaw ? [{ name: "rejected data, dimmed", swatch: (x: number, y: number) => rawSwatch(x, y, ink) }] : []),
  ];
}

/** Returns a legend entry with a line as its swatch. */
export function lineEntry(name: string, colour: string, dash: readonly number[]): LegendEntry {
  return { name, swatch: (x, y) => [{ kind: "line", points: [x, y, x + 20, y], colour, width: 2.5, dash }] };
}

/** Returns the legend entry of a joint lane where no station has a gap. */
function noGapEntry(theme: PlotTheme): LegendEntry {
  const colour = theme.colour(JOINT_COLOUR);
  return {
    name: JOINT_WORDS,
    swatch: (x, y) => [{ kind: "rect", x, y: y - 6, width: 20, height: 12, colour, opacity: LANE_OPACITY }],
  };
}

/** Returns legend entries of gap causes, in their fixed order. */
export function gapEntries(causes: ReadonlySet<GapCause>, theme: PlotTheme): LegendEntry[] {
  return GAP_MARKS.filter((mark) => causes.has(mark.cause)).map(({ cause, word }) => ({
    name: word,
    swatch: (x, y) => [hatchShape({ x, y: y - 6, width: 20, height: 12 }, cause, theme)],
  }));
}
