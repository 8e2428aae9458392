import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import type { GapCause } from "#shared/series/gap.ts";
import { gapEntries } from "#shared/plot/figure/compose.ts";
import { type FigurePage, type LegendEntry, text, textWidth } from "#shared/plot/figure/page.ts";
import type { Scene, Shape } from "#shared/plot/figure/scene.ts";
import { composeSheet } from "#shared/plot/figure/sheet.ts";
import { hatchFills } from "../../plot/hatch.ts";
import { timeTicks } from "#shared/plot/timeTicks.ts";
import { utcMinutes } from "../../ui/text.ts";
import { edgePx } from "./cells.ts";
import { LEVELS, type Look, lookOf } from "./looks.ts";
import { paintRow } from "./paint.ts";
import type { StationLine } from "./table.ts";
import { dayText, percent } from "./words.ts";

const SHARE = 50;
const LEAST_NAME = 80;
const MOST_NAME = 190;
const ROW = 18;
const HEAD = 24;

/** The whole table as a figure that can be understood on its own. */
export function availabilityFigure(
  found: SeriesAvailability,
  lines: readonly StationLine[],
  variable: string,
  page: FigurePage,
): Scene {
  const rows = lines.map((line) => Array.from({ length: found.bins }, (_, bin) => lookOf(found, line.place, bin)));
  const lastMs = found.firstMs + (found.bins - 1) * found.binMs;
  return composeSheet(
    {
      title: `Completeness of ${variable}`,
      subtitle: `UTC days ${dayText(found.firstMs)} to ${dayText(lastMs)}`,
      legend: [
        ...LEVELS.map(({ word, colour, strength }): LegendEntry => ({
          name: word,
          swatch: (x, y) => [
            { kind: "rect", x, y: y - 6, width: 20, height: 12, colour: page.theme.colour(colour), opacity: strength },
          ],
        })),
        ...gapEntries(new Set(rows.flatMap((looks) => looks.flatMap(causesOf)))),
      ],
      parts: [
        {
          height: () => HEAD + lines.length * ROW,
          draw: (width, height, theme) => {
            const left = Math.min(MOST_NAME, Math.max(LEAST_NAME, width * 0.2)) + SHARE;
            const quiet = theme.colour("--text-2");
            const row = (height - HEAD) / Math.max(1, lines.length);
            const named = lines.flatMap(({ name, complete }, i): Shape[] => {
              const y = HEAD + (i + 0.5) * row + 4;
              return [
                text(0, y, fitted(name, left - SHARE - 8), theme.colour("--text")),
                text(left - 8, y, percent(complete), quiet, { anchor: "end" }),
              ];
            });
            const paint = (ctx: CanvasRenderingContext2D, w: number): void => {
              const brush = { ctx, theme, hatches: hatchFills(ctx, theme.colour, 1) };
              for (const [i, looks] of rows.entries()) {
                paintRow(brush, looks, { x: 0, y: i * row + 1, width: w, height: Math.max(1, row - 2) });
              }
            };
            return [
              ...dates(found, left, width - left, quiet),
              ...named,
              { kind: "image", x: left, y: HEAD, width: width - left, height: height - HEAD, paint },
            ];
          },
        },
      ],
      notes: [`Completeness is the share of requested rows that arrived, at ${utcMinutes(found.nowMs)} UTC.`],
    },
    page,
  );
}

function dates(found: SeriesAvailability, left: number, width: number, colour: string): Shape[] {
  const range = { startMs: found.firstMs, endMs: found.firstMs + found.bins * found.binMs };
  return timeTicks(range, width, 72).flatMap(({ timeMs, label }) => {
    const x = left + edgePx((timeMs - range.startMs) / found.binMs, found.bins, width);
    return timeMs >= range.endMs || x + textWidth(label) > left + width ? [] : [text(x, HEAD - 8, label, colour)];
  });
}

function causesOf(look: Look): GapCause[] {
  return [
    ...(typeof look.fill === "string" ? [look.fill] : []),
    ...(look.fill !== null && look.askedShare < 1 ? [look.rest] : []),
  ];
}

function fitted(name: string, width: number): string {
  let shown = name;
  while (shown.length > 1 && textWidth(shown) > width) shown = shown.slice(0, -1);
  return shown === name ? name : `${shown}…`;
}
