import { type ConnectionInfo, FILES_CONNECTION_ID } from "#shared/connection.ts";
import { type FigureSettings, toPoints } from "#shared/file/figure.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import type { GapCause } from "#shared/series/gap.ts";
import { gapMark } from "../gapMarks.ts";
import type { PlotTheme } from "../theme.ts";
import type { HatchShape, Rect, Scene, Shape, VectorShape } from "./scene.ts";

/** Font size in a scene; files are scaled to the requested font size. */
const TEXT = 12;
/** Mean width of a letter relative to the font size, to estimate text widths without a canvas. */
const LETTER = 0.58;

/** Size and options of a figure. Lengths in scene units, in which text is 12 high. */
export interface FigurePage {
  readonly width: number;
  /** null: determined by the figure. */
  readonly height: number | null;
  readonly theme: PlotTheme;
  readonly hasTitle: boolean;
  /** Source of the data, time and program, as a sentence; null: not shown. */
  readonly source: string | null;
  readonly legend: FigureSettings["legend"];
  /** When the figure is drawn: there is no data after it. */
  readonly nowMs: UtcMs;
}

/** A plot that can be saved as a figure. @template S the kinds of its shapes */
export interface FigureSource<S = Shape> {
  /** Without the extension. */
  readonly fileName: string;
  compose(page: FigurePage): Scene<S>;
}

/** Returns PostScript points per scene unit. */
function pointsPerUnit({ fontPt }: Pick<FigureSettings, "fontPt">): number {
  return fontPt / TEXT;
}

/** Returns the page for the user's settings. @param source see `FigurePage.source`; used if `settings.hasSource` */
export function figurePage(settings: FigureSettings, theme: PlotTheme, source: string, nowMs: UtcMs): FigurePage {
  const perUnit = pointsPerUnit(settings);
  return {
    width: toPoints(settings.widthMm) / perUnit,
    height: settings.heightMm === null ? null : toPoints(settings.heightMm) / perUnit,
    theme,
    hasTitle: settings.hasTitle,
    source: settings.hasSource ? source : null,
    legend: settings.legend,
    nowMs,
  };
}

/** The connection that the data of a figure came from. */
interface SourceConnection extends Pick<ConnectionInfo, "id" | "baseUrl"> {
  /** Whether the values are simulated, and must not pass for observations. */
  readonly isSimulated: boolean;
}

/** Describes the source. Of an address only the origin is named, because the rest may be private. */
export function sourceWords(connection: SourceConnection | null, program: string, nowMs: UtcMs): string {
  return `Data from ${sourceOf(connection)}, as cached at ${formatUtcShort(Math.floor(nowMs / 1_000) * 1_000)}. Drawn by ${program}.`;
}

function sourceOf(connection: SourceConnection | null): string {
  if (connection === null) return "cache";
  if (connection.isSimulated) return "the Zenith Desk demo (simulated)";
  if (connection.id === FILES_CONNECTION_ID) return "opened files";
  // A session file may withhold the address.
  return connection.baseUrl === "" ? "a session file" : new URL(connection.baseUrl).origin;
}

/** Formats a day for file names: "20261114". */
export function fileDay(ms: UtcMs): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
}

interface TextLook {
  readonly size?: number;
  readonly weight?: number;
  readonly anchor?: "start" | "middle" | "end";
}

/** A text that begins, is centred or ends at a point of its baseline, by `anchor`. */
export function text(
  [x, y]: readonly [x: number, y: number],
  words: string,
  colour: string,
  look: TextLook = {},
): VectorShape {
  const { size = TEXT, weight = 400, anchor = "start" } = look;
  return { kind: "text", x, y, text: words, size, weight, anchor, colour };
}

/** The hatch of a gap in the colour of its cause. */
export function hatchShape(box: Rect, cause: GapCause, theme: PlotTheme, opacity = 1): HatchShape {
  return { kind: "hatch", ...box, cause, colour: theme.colour(gapMark(cause).colour), opacity };
}

export function textWidth(words: string, size = TEXT): number {
  return words.length * size * LETTER;
}

/** Wraps a text into lines that fit into the width. */
function wrapped(words: string, width: number, size = TEXT): string[] {
  const lines: string[] = [];
  for (const word of words.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length === 0 || textWidth(longer, size) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Draws wrapped text. `bottom` is the baseline of the next line. */
export function paragraph(
  { x, y, width }: Omit<Rect, "height">,
  words: string,
  colour: string,
  look: TextLook = {},
): { readonly shapes: readonly VectorShape[]; readonly bottom: number } {
  const { size = TEXT } = look;
  const lines = wrapped(words, width, size);
  return {
    shapes: lines.map((line, i) => text([x, y + i * size * 1.4], line, colour, look)),
    bottom: y + lines.length * size * 1.4,
  };
}

/** Name and swatch, 20 units wide, of a legend entry. */
export interface LegendEntry {
  readonly name: string;
  /** @param x left edge of the swatch @param y the middle of its height */
  readonly swatch: (x: number, y: number) => readonly VectorShape[];
}

const SWATCH = 26;
const ROW = 20;

/** Arranges legend entries in rows. `y` is the baseline of the first row. */
export function legendShapes(
  entries: readonly LegendEntry[],
  { left, right, y: top }: { readonly left: number; readonly right: number; readonly y: number },
  colour: string,
): { readonly shapes: readonly VectorShape[]; readonly bottom: number } {
  let x = left;
  let y = top;
  const shapes: VectorShape[] = [];
  for (const { name, swatch } of entries) {
    const width = SWATCH + textWidth(name) + 16;
    if (x > left && x + width > right) {
      x = left;
      y += ROW;
    }
    shapes.push(...swatch(x, y - 4), text([x + SWATCH, y], name, colour));
    x += width;
  }
  return { shapes, bottom: entries.length === 0 ? top : y + ROW };
}
