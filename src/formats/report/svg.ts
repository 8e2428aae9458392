/** A drawing area with scales; coordinates of the page grow to the right and downwards. */
export interface Frame {
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

/** A scale needs two ends that differ. */
function widened(from: number, to: number): { readonly from: number; readonly to: number } {
  if (!Number.isFinite(from) || !Number.isFinite(to)) return { from: 0, to: 1 };
  return to > from ? { from, to } : { from: from - 0.5, to: to + 0.5 };
}

export function at({ from, to, start, end }: Scale, value: number): number {
  return start + ((value - from) / (to - from)) * (end - start);
}

/** Round values within a scale: about `most` of them. */
export function ticksOf({ from, to }: Scale, most = 6): number[] {
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, k) => (first + k) * step);
}

export interface AxisText {
  readonly title: string;
  /** Ticks and their labels; round numbers by default. */
  readonly ticks?: readonly (readonly [value: number, label: string])[];
}

/** An SVG element with axes, and the content drawn between them. @param name of the figure, for screen readers */
export function figure(name: string, frame: Frame, x: AxisText, y: AxisText, content: readonly string[]): string {
  const { width, height } = frame;
  const bottom = frame.y.start;
  const left = frame.x.start;
  const lines = [
    `<svg role="img" aria-label="${escaped(name)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    ...(y.ticks ?? numbered(frame.y)).flatMap(([value, label]) => {
      const place = rounded(at(frame.y, value));
      return [
        `<line class="grid" x1="${left}" x2="${frame.x.end}" y1="${place}" y2="${place}"/>`,
        `<text class="tick" x="${left - 6}" y="${place + 4}" text-anchor="end">${escaped(label)}</text>`,
      ];
    }),
    ...(x.ticks ?? numbered(frame.x)).map(
      ([value, label]) =>
        `<text class="tick" x="${rounded(at(frame.x, value))}" y="${bottom + 16}" text-anchor="middle">${escaped(label)}</text>`,
    ),
    `<path class="axis" d="M${left} ${frame.y.end}V${bottom}H${frame.x.end}"/>`,
    ...content,
    `<text class="title" x="${(left + frame.x.end) / 2}" y="${height - 6}" text-anchor="middle">${escaped(x.title)}</text>`,
    `<text class="title" transform="translate(14 ${(bottom + frame.y.end) / 2}) rotate(-90)" text-anchor="middle">${escaped(y.title)}</text>`,
    "</svg>",
  ];
  return lines.join("\n");
}

function numbered(scale: Scale): (readonly [number, string])[] {
  return ticksOf(scale).map((value) => [value, String(Number(value.toPrecision(6)))]);
}

/** Dates at the start of UTC days, or hours within a few days. */
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

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** A tenth of a pixel is enough. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
