import type { Gap, GapCause } from "#shared/series/gap.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** The gaps of one station and variable, in time order. */
export interface StationGaps {
  readonly stationId: string;
  readonly gaps: readonly Gap[];
}

/** A segment of a lane: a gap of one or several stations. */
interface LaneSegment {
  readonly range: TimeRange;
  readonly cause: GapCause;
  /** For a failure of one station: why, as a sentence, if known. */
  readonly reason?: string;
  /** Number of stations with this gap. */
  readonly stations: number;
}

export interface Lane {
  /** null for a lane of all stations. */
  readonly stationId: string | null;
  readonly segments: readonly LaneSegment[];
}

/** More stations than this share one lane. */
export const MAX_LANES = 8;
const LANE_PX = 6;
const LANE_GAP_PX = 2;
const JOINT_LANE_PX = 12;
const MARGIN_PX = 4;
/** Opacity of a lane, in the colour of its station, where there is data. */
export const LANE_OPACITY = 0.35;
/** Colour of a joint lane where no station has a gap. */
export const JOINT_COLOUR = "--text-3";
/** What that colour says, in legends. */
export const JOINT_WORDS = "no gap";

/** Whether the gaps of these panels are shown in a joint lane. */
export function hasJointLane(panels: readonly { readonly gaps: readonly StationGaps[] }[]): boolean {
  return panels.some(({ gaps }) => gaps.length > MAX_LANES);
}

/** Returns a lane per station, or for many stations a joint lane with the most frequent cause in each pixel column. */
export function lanesOf(stations: readonly StationGaps[], view: TimeRange, widthPx: number): Lane[] {
  if (stations.length > MAX_LANES) return [{ stationId: null, segments: jointSegments(stations, view, widthPx) }];
  return stations.map(({ stationId, gaps }) => ({
    stationId,
    segments: gaps.map((gap) => ({ ...gap, stations: 1 })),
  }));
}

/** Returns the height of all lanes below a panel in CSS pixels; 0 for one station, whose gaps fill the panel. */
export function laneAreaPx(stations: number): number {
  if (stations <= 1) return 0;
  if (stations > MAX_LANES) return JOINT_LANE_PX + MARGIN_PX;
  return stations * (LANE_PX + LANE_GAP_PX) + MARGIN_PX;
}

/** Returns the position of a lane relative to the lower edge of the panel, CSS pixels. */
export function laneBox(index: number, stations: number): { readonly topPx: number; readonly heightPx: number } {
  if (stations > MAX_LANES) return { topPx: MARGIN_PX / 2 + 1, heightPx: JOINT_LANE_PX };
  return { topPx: MARGIN_PX / 2 + 1 + index * (LANE_PX + LANE_GAP_PX), heightPx: LANE_PX };
}

/** Minimum height, so that the gap of one station among hundreds is visible. */
const MIN_SHARE_PX = 2;

/** Returns the part of a joint lane that a gap of `affected` of its `all` stations fills: a bar of this share of its height. */
export function sharedBox(
  lane: { readonly y: number; readonly height: number },
  affected: number,
  all: number,
): { readonly y: number; readonly height: number } {
  const share = Math.min(1, affected / Math.max(1, all));
  const height = Math.min(lane.height, Math.max(MIN_SHARE_PX, Math.round(lane.height * share)));
  return { y: lane.y + lane.height - height, height };
}

function jointSegments(stations: readonly StationGaps[], view: TimeRange, widthPx: number): LaneSegment[] {
  const perMs = widthPx / (view.endMs - view.startMs);
  /** Number of stations in each pixel column, by cause. */
  const countsByCause = new Map<GapCause, Uint16Array>();
  for (const { gaps } of stations) {
    for (const { range, cause } of gaps) {
      const from = Math.max(0, Math.floor((range.startMs - view.startMs) * perMs));
      const to = Math.min(widthPx, Math.ceil((range.endMs - view.startMs) * perMs));
      const counts = countsByCause.get(cause) ?? new Uint16Array(widthPx);
      countsByCause.set(cause, counts);
      for (let px = from; px < to; px++) counts[px]!++;
    }
  }
  const segments: { startPx: number; endPx: number; cause: GapCause; stations: number }[] = [];
  for (let px = 0; px < widthPx; px++) {
    let cause: GapCause | null = null;
    let count = 0;
    for (const [other, counts] of countsByCause) {
      const otherCount = counts[px]!;
      if (otherCount > count) [cause, count] = [other, otherCount];
    }
    if (cause === null) continue;
    const last = segments.at(-1);
    if (last && last.endPx === px && last.cause === cause && last.stations === count) last.endPx++;
    else segments.push({ startPx: px, endPx: px + 1, cause, stations: count });
  }
  const momentOf = (px: number): number => view.startMs + px / perMs;
  return segments.map(({ startPx, endPx, cause, stations: count }) => ({
    range: { startMs: momentOf(startPx), endMs: momentOf(endPx) },
    cause,
    stations: count,
  }));
}

/** Returns the segment at a moment, or the nearest one within `withinMs`. */
export function segmentAt(segments: readonly LaneSegment[], momentMs: number, withinMs: number): LaneSegment | null {
  let best: LaneSegment | null = null;
  let bestMs = withinMs;
  for (const segment of segments) {
    const { startMs, endMs } = segment.range;
    if (momentMs >= startMs && momentMs < endMs) return segment;
    const distance = momentMs < startMs ? startMs - momentMs : momentMs - endMs;
    if (distance <= bestMs) {
      best = segment;
      bestMs = distance;
    }
  }
  return best;
}
