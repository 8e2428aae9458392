import type { Scene, Shape } from "../../../plot/figure/scene.ts";
import type { PlotTheme } from "../../../plot/theme.ts";
import { seriesLook } from "../../../stores/palette.ts";
import type { Drawn, Picture } from "./picture.ts";

const WIDTH = 1_200;
const FIGURE = 340;
const MARGIN = 24;
/** Room for a letter of a name, which may be a wide one; and of a long text, where narrow ones make up for those. */
const LETTER_PX = 7.2;
const MEAN_LETTER_PX = 6.4;

export interface SheetWords {
  readonly title: string;
  readonly subtitle: string;
  /** Below the figures: where it all comes from, and what must be known of it. */
  readonly footnotes: readonly string[];
}

/** Figures below each other with their names, the stations' colours, and where it all comes from. */
export function composeSheet(
  pictures: readonly Picture[],
  stations: readonly Drawn[],
  words: SheetWords,
  theme: PlotTheme,
): Scene {
  const ink = theme.colour("--text");
  const quiet = theme.colour("--text-2");
  const shapes: Shape[] = [write(MARGIN, 36, words.title, ink, 18, 600), write(MARGIN, 56, words.subtitle, quiet)];
  let x = MARGIN;
  let y = 80;
  for (const { name, slot } of stations) {
    const room = 26 + name.length * LETTER_PX + 16;
    if (x > MARGIN && x + room > WIDTH - MARGIN) {
      x = MARGIN;
      y += 20;
    }
    const { variable, dash } = seriesLook(slot);
    shapes.push({ kind: "line", points: [x, y - 4, x + 20, y - 4], colour: theme.colour(variable), width: 2.5, dash });
    shapes.push(write(x + 26, y, name, ink));
    x += room;
  }
  y += 28;
  for (const picture of pictures) {
    shapes.push(write(MARGIN, y, picture.title, ink, 13, 600));
    for (const text of wrapped(picture.note)) shapes.push(write(MARGIN, (y += 18), text, quiet));
    shapes.push(...picture.draw(WIDTH - 2 * MARGIN, FIGURE, theme).map((shape) => moved(shape, MARGIN, y + 10)));
    y += FIGURE + 42;
  }
  for (const text of words.footnotes.flatMap(wrapped)) {
    shapes.push(write(MARGIN, y, text, quiet, 11));
    y += 16;
  }
  return {
    width: WIDTH,
    height: y + 4,
    background: theme.colour("--surface"),
    fontFamily: theme.fontFamily,
    title: words.title,
    colourOf: theme.colour,
    shapes,
  };
}

/** Lines that are not wider than the sheet. */
function wrapped(text: string): string[] {
  const most = Math.floor((WIDTH - 2 * MARGIN) / MEAN_LETTER_PX);
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length === 0 || longer.length > most) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function write(x: number, y: number, text: string, colour: string, size = 12, weight = 400): Shape {
  return { kind: "text", x, y, text, size, weight, anchor: "start", colour };
}

function moved(shape: Shape, dx: number, dy: number): Shape {
  switch (shape.kind) {
    case "line":
    case "area":
      return { ...shape, points: shape.points.map((value, i) => value + (i % 2 === 0 ? dx : dy)) };
    case "clip":
      return { ...shape, x: shape.x + dx, y: shape.y + dy, shapes: shape.shapes.map((inner) => moved(inner, dx, dy)) };
    default:
      return { ...shape, x: shape.x + dx, y: shape.y + dy };
  }
}
