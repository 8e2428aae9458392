import { lowerBound } from "#shared/arrays.ts";
import { GAP_STEPS } from "#shared/plot/bins.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { allLines, type PanelLine, type PanelModel } from "#shared/plot/panel.ts";
import { drawnAfterMs, type Track } from "#shared/plot/track.ts";
import { anyValue, exactValue, roundedValue } from "#shared/plot/values.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { SECOND_MS } from "#shared/time/utc.ts";
import { includes } from "#shared/time/rangeset.ts";
import { count, utc } from "../ui/text.ts";

/** Distance within which the cursor snaps to a row. */
export const SNAP_PX = 4;

/** The content of a track at a moment: a row, or the statistics of a column of time. */
export type ReadValue =
  | {
      readonly kind: "row";
      /** Where it is drawn. */ readonly timeMs: number;
      readonly value: number;
      readonly sigma: number;
    }
  | {
      readonly kind: "column";
      readonly range: TimeRange;
      readonly count: number;
      readonly min: number;
      readonly max: number;
      readonly mean: number;
    };

/** Returns the nearest row with a value, at most `withinMs` away; the earlier of two equally near rows. */
export function nearestRow(
  track: Extract<Track, { kind: "rows" }>,
  momentMs: number,
  withinMs: number,
): Extract<ReadValue, { kind: "row" }> | null {
  const { timesMs, values, sigma } = track;
  const laterMs = drawnAfterMs(track);
  const atMs = momentMs - laterMs;
  const start = lowerBound(timesMs, atMs);
  const rowAt = (i: number): Extract<ReadValue, { kind: "row" }> | null => {
    const [timeMs, value] = [timesMs[i], values[i]];
    if (timeMs === undefined || value === undefined || Math.abs(timeMs - atMs) > withinMs) return null;
    return { kind: "row", timeMs: timeMs + laterMs, value, sigma: sigma?.[i] ?? Number.NaN };
  };
  const search = (from: number, step: 1 | -1): Extract<ReadValue, { kind: "row" }> | null => {
    for (let i = from; ; i += step) {
      const row = rowAt(i);
      if (row === null || !Number.isNaN(row.value)) return row;
    }
  };
  const [before, after] = [search(start - 1, -1), search(start, 1)];
  return before && after ? (after.timeMs - momentMs < momentMs - before.timeMs ? after : before) : (before ?? after);
}

/** Returns what a track shows at a moment, or null. */
export function readTrack(track: Track, pointerMs: number): ReadValue | null {
  if (track.kind === "rows") return nearestRow(track, pointerMs, track.stepMs * (GAP_STEPS / 2));
  const { data, range } = track;
  const momentMs = pointerMs - drawnAfterMs(track);
  const columns = data.count.length;
  const columnMs = (range.endMs - range.startMs) / columns;
  // Columns may be narrower than the step of the values, so the nearest column with a value is used.
  const reachMs = track.stepMs * (GAP_STEPS / 2);
  const reach = Math.ceil(reachMs / columnMs);
  const here = Math.floor((momentMs - range.startMs) / columnMs);
  for (let away = 0; away <= reach; away++) {
    for (const c of away === 0 ? [here] : [here - away, here + away]) {
      if (c < 0 || c >= columns || data.count[c] === 0) continue;
      const startMs = range.startMs + c * columnMs;
      if (startMs - momentMs > reachMs || momentMs - startMs - columnMs > reachMs) continue;
      return {
        kind: "column",
        range: { startMs, endMs: startMs + columnMs },
        count: data.count[c] ?? 0,
        min: data.min[c] ?? Number.NaN,
        max: data.max[c] ?? Number.NaN,
        mean: data.mean[c] ?? Number.NaN,
      };
    }
  }
  return null;
}

/** Snaps a moment to the nearest row of the tracks within `withinMs`. */
export function snapToRow(tracks: readonly Track[], momentMs: number, withinMs: number): number {
  let best = Number.NaN;
  for (const track of tracks) {
    if (track.kind !== "rows") continue;
    const row = nearestRow(track, momentMs, Math.max(withinMs, (track.stepMs * GAP_STEPS) / 2));
    if (row && !(Math.abs(best - momentMs) <= Math.abs(row.timeMs - momentMs))) best = row.timeMs;
  }
  return Number.isNaN(best) ? momentMs : best;
}

/**
 * Returns the moment whose values are read at a position of the pointer: that of the nearest row, or the position, which is
 * no more precise than a pixel.
 */
export function readMoment(models: readonly PanelModel[], pointerMs: number, view: TimeRange): number {
  const pixelMs = (view.endMs - view.startMs) / Math.max(1, document.documentElement.clientWidth);
  const tracks = models.flatMap(allLines).flatMap(({ track, rejected }) => [track ?? [], rejected?.track ?? []].flat());
  return Math.round(snapToRow(tracks, asPreciseAs(pixelMs, pointerMs), pixelMs * SNAP_PX));
}

/** Returns a moment within a pixel or column, without the fractions of a second if those are longer. */
function asPreciseAs(lengthMs: number, momentMs: number): number {
  return lengthMs > SECOND_MS ? Math.round(momentMs / SECOND_MS) * SECOND_MS : momentMs;
}

/** Returns the time of the newest value of a variable before `endMs` among all lines; null if there is none. */
export function newestMoment(model: PanelModel, endMs: number): number | null {
  const newest = allLines(model).map(({ track }) => (track === null ? -Infinity : newestOf(track, endMs)));
  const momentMs = Math.max(-Infinity, ...newest);
  return momentMs === -Infinity ? null : Math.round(momentMs);
}

function newestOf(track: Track, endMs: number): number {
  const atMs = endMs - drawnAfterMs(track);
  if (track.kind === "rows") {
    let i = lowerBound(track.timesMs, atMs) - 1;
    while (i >= 0 && Number.isNaN(track.values[i])) i--;
    return (track.timesMs[i] ?? -Infinity) + drawnAfterMs(track);
  }
  const { data, range } = track;
  const columnMs = (range.endMs - range.startMs) / data.count.length;
  let column = Math.min(data.count.length, Math.ceil((atMs - range.startMs) / columnMs)) - 1;
  while (column >= 0 && data.count[column] === 0) column--;
  if (column < 0) return -Infinity;
  return asPreciseAs(columnMs, range.startMs + (column + 0.5) * columnMs) + drawnAfterMs(track);
}

/** More lines take too long to listen to. */
const MAX_SPOKEN = 4;

/**
 * Returns the values at a moment as a sentence for each line: "Kallio: ZTD 2,411.3 ±2.1 mm, PWV 21.0 mm."
 *
 * @param onlyId id of the only line to describe; null: the first lines
 */
export function spokenValues(
  models: readonly PanelModel[],
  momentMs: number,
  onlyId: string | null,
  maxLines = MAX_SPOKEN,
): string {
  const lines = new Map(models.flatMap((model) => allLines(model).map((line) => [line.stationId, line] as const)));
  const wanted = [...lines.values()].filter(({ stationId }) => onlyId === null || stationId === onlyId);
  const spoken = wanted.slice(0, maxLines).map((line) => `${line.name}: ${valuesText(models, line, momentMs)}.`);
  const more = wanted.length - spoken.length;
  return [
    `${utc(Math.round(momentMs))} UTC.`,
    ...spoken,
    ...(more > 0 ? [`${more} more: up and down arrows read one station at a time.`] : []),
  ].join(" ");
}

/** A piece of what a line shows at a moment. */
interface ReadPart {
  readonly text: string;
  /** Said of a value, or instead of one. */
  readonly isQuiet?: boolean;
  /** The exact value, of the line or rejected. */
  readonly row?: { readonly kind: "value" | "raw"; readonly value: number };
}

/** Returns what a line shows at a moment: its value, the rejected one, or why there is none. */
export function readParts(model: PanelModel, { stationId, track, rejected }: PanelLine, momentMs: number): ReadPart[] {
  const read = track ? readTrack(track, momentMs) : null;
  const raw = rejected ? readTrack(rejected.track, momentMs) : null;
  if (read === null && raw === null) {
    const gaps = model.gaps.find((g) => g.stationId === stationId)?.gaps;
    const gap = gaps?.find(({ range }) => momentMs >= range.startMs && momentMs < range.endMs);
    return [{ text: gap ? gapMark(gap.cause).word : "no value", isQuiet: true }];
  }
  const partsOf = (value: ReadValue | null, kind: "value" | "raw"): ReadPart[] =>
    value === null ? [] : valueParts(model, stationId, { value, kind });
  if (read !== null && raw !== null)
    return [...partsOf(read, "value"), { text: ", raw ", isQuiet: true }, ...partsOf(raw, "raw")];
  if (raw === null) return partsOf(read, "value");
  const isJudged = includes(rejected?.judged ?? [], momentMs);
  const origin = isJudged ? ", raw: filtered out by the service" : ", raw";
  return [...partsOf(raw, "raw"), { text: origin, isQuiet: true }];
}

/** The exact value of a row, or the statistics of a column of time. Values of a file may have any magnitude. */
function valueParts(
  { quantity: { unit }, fromFiles }: PanelModel,
  stationId: string,
  { value, kind }: { readonly value: ReadValue; readonly kind: "value" | "raw" },
): ReadPart[] {
  const isOfFile = fromFiles.some((each) => each.stationId === stationId && !each.earlier);
  if (value.kind === "row") {
    const sigma = Number.isNaN(value.sigma) ? "" : ` ±${exactValue(value.sigma)}`;
    const text = `${(isOfFile ? anyValue : exactValue)(value.value)}${sigma} ${unit}`;
    return [{ text, row: { kind, value: value.value } }];
  }
  const rounded = isOfFile ? anyValue : roundedValue;
  const range = value.count > 1 ? `, ${rounded(value.min)}–${rounded(value.max)}` : "";
  return [
    { text: `${rounded(value.mean)} ${unit} ` },
    { text: `(mean of ${count(value.count)}${range})`, isQuiet: true },
  ];
}

/** The values of a line at a moment: "ZTD 2,411.3 ±2.1 mm, PWV 21.0 mm", or why there are none. */
export function valuesText(
  models: readonly PanelModel[],
  { stationId }: Pick<PanelLine, "stationId">,
  momentMs: number,
): string {
  return models
    .flatMap((model) => {
      const line = allLines(model).find((each) => each.stationId === stationId);
      const parts = line ? readParts(model, line, momentMs) : [];
      return line ? [`${model.quantity.short} ${parts.map(({ text }) => text).join("")}`] : [];
    })
    .join(", ");
}

/** Step as a share of the view if there are no rows. */
const EMPTY_STEP = 0.02;

/**
 * Returns the next moment of the keyboard cursor: the nearest row with a value, at least one pixel away. At a gap, the
 * cursor stops once inside, so that the user notices the gap, and then moves to the first row after it.
 *
 * @param pixelMs milliseconds per pixel
 */
export function stepCursor(
  tracks: readonly Track[],
  momentMs: number,
  direction: 1 | -1,
  { view, pixelMs }: { readonly view: TimeRange; readonly pixelMs: number },
): number {
  const nearest = nearestStep(tracks, momentMs, direction, Math.max(1, pixelMs));
  if (nearest === null) return momentMs + direction * (view.endMs - view.startMs) * EMPTY_STEP;
  const { timeMs, stepMs } = nearest;
  // Beyond the distance within which the readout would still show the row before the gap.
  const gapStepMs = Math.max(stepMs * GAP_STEPS, pixelMs * (SNAP_PX + 1));
  const isOnRow = tracks.some((track) => hasRowAt(track, momentMs, Math.max(stepMs / 2, pixelMs)));
  const isFar = Math.abs(timeMs - momentMs) > gapStepMs;
  return isFar && isOnRow ? momentMs + direction * gapStepMs : timeMs;
}

function nearestStep(tracks: readonly Track[], momentMs: number, direction: 1 | -1, minStepMs: number) {
  let best: { readonly timeMs: number; readonly stepMs: number } | null = null;
  for (const track of tracks) {
    const timeMs = nextTime(track, momentMs, direction, minStepMs);
    if (timeMs === null || (best && Math.abs(best.timeMs - momentMs) <= Math.abs(timeMs - momentMs))) continue;
    best = { timeMs, stepMs: track.stepMs };
  }
  return best;
}

function nextTime(track: Track, cursorMs: number, direction: 1 | -1, minStepMs: number): number | null {
  const laterMs = drawnAfterMs(track);
  const momentMs = cursorMs - laterMs;
  if (track.kind === "rows") {
    const { timesMs, values } = track;
    const first =
      direction > 0 ? lowerBound(timesMs, momentMs + minStepMs) : lowerBound(timesMs, momentMs - minStepMs + 1) - 1;
    for (let i = first; i >= 0 && i < timesMs.length; i += direction)
      if (!Number.isNaN(values[i] ?? Number.NaN)) return (timesMs[i] ?? Number.NaN) + laterMs;
    return null;
  }
  const { range, data } = track;
  const columnMs = (range.endMs - range.startMs) / data.count.length;
  const at = (momentMs + direction * minStepMs - range.startMs) / columnMs - 0.5;
  const first = direction > 0 ? Math.max(0, Math.ceil(at)) : Math.min(data.count.length - 1, Math.floor(at));
  for (let c = first; c >= 0 && c < data.count.length; c += direction)
    if ((data.count[c] ?? 0) > 0) return range.startMs + (c + 0.5) * columnMs + laterMs;
  return null;
}

function hasRowAt(track: Track, momentMs: number, withinMs: number): boolean {
  return ([1, -1] as const).some((direction) => {
    const timeMs = nextTime(track, momentMs - direction * withinMs, direction, 0);
    return timeMs !== null && Math.abs(timeMs - momentMs) <= withinMs;
  });
}
