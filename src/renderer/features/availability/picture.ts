import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { GAP_MARKS, type GapMark } from "../../plot/gapMarks.ts";
import { hatchFills } from "../../plot/hatch.ts";
import { pageTheme } from "../../plot/theme.ts";
import { timeTicks } from "../../plot/timeTicks.ts";
import { edgePx } from "./cells.ts";
import { LEVELS, type Look, lookOf } from "./looks.ts";
import { paintRow } from "./paint.ts";
import type { StationLine } from "./table.ts";
import { dayText, percent } from "./words.ts";

const WIDTH = 1_200;
const MARGIN = 24;
const NAME = 190;
const FIGURE = 70;
const ROW = 18;
const HEAD = 64;
const FOOT = 56;
const SIZE = 12;
/** Pixels of a PNG for each of the picture's, unless the picture becomes too large for a canvas. */
const RATIO = 2;
const MOST_PX = 16_000;

/** The whole table as a picture that can be understood on its own; null where it is too large for this computer. */
export async function availabilityPng(
  found: SeriesAvailability,
  lines: readonly StationLine[],
  words: { readonly title: string; readonly provenance: string },
): Promise<Blob | null> {
  await document.fonts.ready;
  const theme = pageTheme();
  const height = HEAD + lines.length * ROW + FOOT;
  const ratio = Math.min(RATIO, MOST_PX / height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(WIDTH * ratio);
  canvas.height = Math.round(height * ratio);
  const ctx = canvas.getContext("2d");
  if (!ctx) return null;
  ctx.scale(ratio, ratio);
  const text = (what: string, x: number, y: number, colour = "--text", size = SIZE): void => {
    ctx.font = `${size}px ${theme.fontFamily}`;
    ctx.fillStyle = theme.colour(colour);
    ctx.fillText(what, x, y, WIDTH - x - MARGIN / 2);
  };
  ctx.fillStyle = theme.colour("--surface");
  ctx.fillRect(0, 0, WIDTH, height);
  text(words.title, MARGIN, 28, "--text", 16);

  const left = MARGIN + NAME + FIGURE;
  const width = WIDTH - left - MARGIN;
  const range = { startMs: found.firstMs, endMs: found.firstMs + found.bins * found.binMs };
  for (const { timeMs, label } of timeTicks(range, width, 72)) {
    if (timeMs >= range.endMs) continue;
    text(label, left + edgePx((timeMs - range.startMs) / found.binMs, found.bins, width), HEAD - 8, "--text-2");
  }
  text("Complete", MARGIN + NAME, HEAD - 8, "--text-2");
  const brush = { ctx, theme, hatches: hatchFills(ctx, theme.colour, 1) };
  const marks = new Set<GapMark["cause"]>();
  for (const [row, line] of lines.entries()) {
    const y = HEAD + row * ROW;
    ctx.font = `${SIZE}px ${theme.fontFamily}`;
    text(fitted(ctx, line.name, NAME - 8), MARGIN, y + 13);
    text(percent(line.complete), MARGIN + NAME, y + 13, "--text-2");
    const looks = Array.from({ length: found.bins }, (_, bin) => lookOf(found, line.place, bin));
    for (const look of looks) for (const cause of causesOf(look)) marks.add(cause);
    paintRow(brush, looks, { x: left, y: y + 1, width, height: ROW - 2 });
  }
  legend(brush, marks, height - FOOT + 24, text);
  text(words.provenance, MARGIN, height - 12, "--text-3", 11);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

export function pictureTitle(variableLabel: string, found: SeriesAvailability): string {
  const lastMs = found.firstMs + (found.bins - 1) * found.binMs;
  return `Completeness of ${variableLabel}, UTC days ${dayText(found.firstMs)} to ${dayText(lastMs)}`;
}

function causesOf(look: Look): GapMark["cause"][] {
  return [
    ...(typeof look.fill === "string" ? [look.fill] : []),
    ...(look.fill !== null && look.askedShare < 1 ? [look.rest] : []),
  ];
}

function legend(
  { ctx, theme, hatches }: Parameters<typeof paintRow>[0],
  marks: ReadonlySet<GapMark["cause"]>,
  y: number,
  text: (what: string, x: number, y: number, colour?: string) => void,
): void {
  let x = MARGIN;
  const entry = (word: string, paint: () => void): void => {
    paint();
    ctx.globalAlpha = 1;
    text(word, x + 26, y, "--text-2");
    x += 26 + ctx.measureText(word).width + 16;
  };
  for (const level of LEVELS) {
    entry(level.word, () => {
      ctx.globalAlpha = level.strength;
      ctx.fillStyle = theme.colour(level.colour);
      ctx.fillRect(x, y - 10, 20, 12);
    });
  }
  for (const mark of GAP_MARKS.filter((m) => marks.has(m.cause))) {
    entry(mark.word, () => {
      ctx.fillStyle = hatches.get(mark.cause) ?? theme.colour("--text-3");
      ctx.fillRect(x, y - 10, 20, 12);
    });
  }
}

function fitted(ctx: CanvasRenderingContext2D, name: string, width: number): string {
  let shown = name;
  while (shown.length > 1 && ctx.measureText(`${shown}…`).width > width) shown = shown.slice(0, -1);
  return shown === name || ctx.measureText(name).width <= width ? name : `${shown}…`;
}
