import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import type { GapCause } from "#shared/series/gap.ts";
import { gapEntries } from "#shared/plot/figure/compose.ts";
import { type FigurePage, type LegendEntry, text, textWidth } from "#shared/plot/figure/page.ts";
import type { Scene, Shape } from "#shared/plot/figure/scene.ts";
import { composeSheet } from "#shared/plot/figure/sheet.ts";
import { hatchFills } from "../../plot/hatch.ts";
import { percent } from "#shared/series/statistics.ts";
import { timeTicks } from "#shared/plot/timeTicks.ts";
import { utcMinutes } from "../../ui/text.ts";
import { edgePx } from "./calendarGrid.ts";
import { LEVELS, type BinStyle, binStyle } from "./binStyle.ts";
import { paintRow } from "./paint.ts";
import { dayText, type StationLine } from "./table.ts";

const PERCENT_WIDTH = 50;
const MIN_NAME_WIDTH = 80;
const MAX_NAME_WIDTH = 190;
const ROW_HEIGHT = 18;
const HEAD_HEIGHT = 24;

/** Composes the whole table as a figure with title, legend and notes. */
export function availabilityFigure(
  availability: SeriesAvailability,
  lines: readonly StationLine[],
  variable: string,
  page: FigurePage,
): Scene {
  const rows = lines.map((line) =>
    Array.from({ length: availability.bins }, (_, bin) => binStyle(availability, line.index, bin)),
  );
  const lastMs = availability.firstMs + (availability.bins - 1) * availability.binMs;
  return composeSheet(
    {
      title: `Completeness of ${variable}`,
      subtitle: `UTC days ${dayText(availability.firstMs)} to ${dayText(lastMs)}`,
      legend: [
        ...LEVELS.map(({ label, colour, opacity }): LegendEntry => ({
          name: label,
          swatch: (x, y) => [
            { kind: "rect", x, y: y - 6, width: 20, height: 12, colour: page.theme.colour(colour), opacity },
          ],
        })),
        ...gapEntries(new Set(rows.flatMap((styles) => styles.flatMap(causesOf)))),
      ],
      parts: [
        {
          height: () => HEAD_HEIGHT + lines.length * ROW_HEIGHT,
          draw: (width, height, theme) => {
            const left = Math.min(MAX_NAME_WIDTH, Math.max(MIN_NAME_WIDTH, width * 0.2)) + PERCENT_WIDTH;
            const quiet = theme.colour("--text-2");
            const row = (height - HEAD_HEIGHT) / Math.max(1, lines.length);
            const labels = lines.flatMap(({ name, complete }, i): Shape[] => {
              const y = HEAD_HEIGHT + (i + 0.5) * row + 4;
              return [
                text(0, y, truncated(name, left - PERCENT_WIDTH - 8), theme.colour("--text")),
                text(left - 8, y, percent(complete), quiet, { anchor: "end" }),
              ];
            });
            const paint = (ctx: CanvasRenderingContext2D, w: number): void => {
              const context = { ctx, theme, hatches: hatchFills(ctx, theme.colour, 1) };
              for (const [i, styles] of rows.entries()) {
                paintRow(context, styles, { x: 0, y: i * row + 1, width: w, height: Math.max(1, row - 2) });
              }
            };
            return [
              ...dates(availability, left, width - left, quiet),
              ...labels,
              { kind: "image", x: left, y: HEAD_HEIGHT, width: width - left, height: height - HEAD_HEIGHT, paint },
            ];
          },
        },
      ],
      notes: [
        `Completeness is the share of the requested epochs with a value, at ${utcMinutes(availability.nowMs)} UTC.`,
      ],
    },
    page,
  );
}

function dates(availability: SeriesAvailability, left: number, width: number, colour: string): Shape[] {
  const range = { startMs: availability.firstMs, endMs: availability.firstMs + availability.bins * availability.binMs };
  return timeTicks(range, width, 72).flatMap(({ timeMs, label }) => {
    const x = left + edgePx((timeMs - range.startMs) / availability.binMs, availability.bins, width);
    return timeMs >= range.endMs || x + textWidth(label) > left + width
      ? []
      : [text(x, HEAD_HEIGHT - 8, label, colour)];
  });
}

function causesOf(style: BinStyle): GapCause[] {
  return [
    ...(typeof style.fill === "string" ? [style.fill] : []),
    ...(style.fill !== null && style.requestedShare < 1 ? [style.restCause] : []),
  ];
}

function truncated(name: string, width: number): string {
  let shown = name;
  while (shown.length > 1 && textWidth(shown) > width) shown = shown.slice(0, -1);
  return shown === name ? name : `${shown}…`;
}
