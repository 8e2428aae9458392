/** A drawing area with scales; x increases to the right, y downwards. */
interface Frame {
  readonly x: Scale;
  readonly y: Scale;
  readonly width: number;
  readonly height: number;
}

export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

const MARGIN = { left: 62, right: 14, top: 12, bottom: 40 } as const;

export function frameOf(
  [xFrom, xTo]: readonly [number, number],
  [yFrom, yTo]: readonly [number, number],
  width = 640,
  height = 300,
): Frame {
  return {
    x: { ...widened(xFrom, xTo), start: MARGIN.left, end: width - MARGIN.right },
    y: { ...widened(yFrom, yTo), start: height - MARGIN.bottom, end: MARGIN.top },
    width,
    height,
  };
}

/** Returns two different, finite ends for a scale. */
function widened(from: number, to: number): { readonly from: number; readonly to: number } {
  if (!Number.isFinite(from) || !Number.isFinite(to)) return { from: 0, to: 1 };
  return to > from ? { from, to } : { from: from - 0.5, to: to + 0.5 };
}

export function at({ from, to, start, end }: Scale, value: number): number {
  return start + ((value - from) / (to - from)) * (end - start);
}

/** Returns round values within a scale, about `count` of them. */
function ticksOf({ from, to }: Scale, count = 6): number[] {
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, k) => (first + k) * step);
}

interface AxisText {
  readonly title: string;
  /** Ticks and their labels; round numbers by default. */
  readonly ticks?: readonly (readonly [value: number, label: string])[];
}

/** Style of a mark; see `LOOKS`. */
type Look =
  | "grid"
  | "axis"
  | "tick"
  | "title"
  | "data"
  | "cell"
  | "mark"
  | "dot"
  | "reference"
  | "positive"
  | "negative";

/** A drawn element in pixels of the figure. `path` has SVG syntax. */
export type Mark =
  | { readonly kind: "path"; readonly look: Look; readonly path: string }
  | {
      readonly kind: "rect";
      readonly look: Look;
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly opacity?: number;
    }
  | {
      readonly kind: "circle";
      readonly look: Look;
      readonly x: number;
      readonly y: number;
      readonly radius: number;
      readonly title?: string;
    }
  | {
      readonly kind: "text";
      readonly look: Look;
      readonly x: number;
      readonly y: number;
      readonly anchor: "start" | "middle" | "end";
      readonly text: string;
      /** Rotated to be read from bottom to top. */
      readonly isUpright?: boolean;
    };

export interface ReportFigure {
  /** For screen readers. */
  readonly name: string;
  /** Shown above the figure. */
  readonly caption?: string;
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
}

interface LookColours {
  readonly stroke?: string;
  readonly strokeWidth?: number;
  readonly fill?: string;
  readonly fillOpacity?: number;
}

export const LOOKS: Readonly<Record<Look, LookColours>> = {
  grid: { stroke: "#e3e7ec" },
  axis: { stroke: "#5b6570" },
  tick: { fill: "#4a535d" },
  title: { fill: "#1b1f24" },
  data: { stroke: "#1f6fb2", strokeWidth: 1.2 },
  cell: { fill: "#1f6fb2" },
  mark: { stroke: "#c2410c", strokeWidth: 1.2 },
  dot: { fill: "#1f6fb2", fillOpacity: 0.75 },
  reference: { fill: "#c2410c" },
  positive: { fill: "#c2410c", fillOpacity: 0.7 },
  negative: { fill: "#1f6fb2", fillOpacity: 0.7 },
};

export function line(look: Look, [x1, y1]: Point, [x2, y2]: Point): Mark {
  return { kind: "path", look, path: `M${rounded(x1)} ${rounded(y1)}L${rounded(x2)} ${rounded(y2)}` };
}

type Point = readonly [x: number, y: number];

/** Composes a figure with axes, titles and content. */
export function figure(name: string, frame: Frame, x: AxisText, y: AxisText, content: readonly Mark[]): ReportFigure {
  const { width, height } = frame;
  const [left, right] = [frame.x.start, frame.x.end];
  const [bottom, top] = [frame.y.start, frame.y.end];
  const ofY = (y.ticks ?? numbered(frame.y)).flatMap(([value, text]): Mark[] => {
    const place = rounded(at(frame.y, value));
    return [
      line("grid", [left, place], [right, place]),
      { kind: "text", look: "tick", x: left - 6, y: place + 4, anchor: "end", text },
    ];
  });
  const ofX = (x.ticks ?? numbered(frame.x)).map(([value, text]): Mark => ({
    kind: "text",
    look: "tick",
    x: rounded(at(frame.x, value)),
    y: bottom + 16,
    anchor: "middle",
    text,
  }));
  const titles: Mark[] = [
    { kind: "text", look: "title", x: (left + right) / 2, y: height - 6, anchor: "middle", text: x.title },
    { kind: "text", look: "title", x: 14, y: (bottom + top) / 2, anchor: "middle", text: y.title, isUpright: true },
  ];
  const axis: Mark = { kind: "path", look: "axis", path: `M${left} ${top}V${bottom}H${right}` };
  return { name, width, height, marks: [...ofY, ...ofX, axis, ...content, ...titles] };
}

function numbered(scale: Scale): (readonly [number, string])[] {
  return ticksOf(scale).map((value) => [value, String(Number(value.toPrecision(6)))]);
}

/** Returns ticks of a time axis: UTC dates, or hours for ranges of a few days. */
export function timeTicks({ from, to }: Scale): (readonly [number, string])[] {
  const HOUR = 3_600_000;
  const steps = [1, 3, 6, 12, 24, 48, 168, 336, 720, 1_440, 2_880, 8_760].map((hours) => hours * HOUR);
  const step = steps.find((ms) => (to - from) / ms <= 6) ?? (to - from) / 6;
  const first = Math.ceil(from / step) * step;
  const moments = Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, k) => first + k * step);
  return moments.map((ms) => {
    const text = new Date(ms).toISOString();
    return [ms, step < 24 * HOUR ? `${text.slice(5, 10)} ${text.slice(11, 16)}` : text.slice(0, 10)];
  });
}

/** Rounds to a tenth of a pixel. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
