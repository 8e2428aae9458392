import type { Gap, GapCause } from "#shared/series/gap.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** The gaps of one station and variable, in order of time. */
export interface StationGaps {
  readonly stationId: string;
  readonly gaps: readonly Gap[];
}

/** A piece of a lane: a cause, and the share of the stations that it is true of. */
export interface LanePiece {
  readonly range: TimeRange;
  readonly cause: GapCause;
  /** Of what failed in a lane of one station: why, as a sentence, where it is known. */
  readonly reason?: string;
  readonly stations: number;
}

export interface Lane {
  /** null where the lane is of all stations together. */
  readonly stationId: string | null;
  readonly pieces: readonly LanePiece[];
}

/** More stations than this share one lane. */
export const MOST_LANES = 8;
const LANE_PX = 6;
const LANE_GAP_PX = 2;
const JOINT_LANE_PX = 12;
const MARGIN_PX = 4;

/** A lane per station, or, of many, one lane that shows for each column of time what is true of the most of them. */
export function lanesOf(stations: readonly StationGaps[], view: TimeRange, widthPx: number): Lane[] {
  if (stations.length > MOST_LANES) return [{ stationId: null, pieces: jointPieces(stations, view, widthPx) }];
  return stations.map(({ stationId, gaps }) => ({
    stationId,
    pieces: gaps.map((gap) => ({ ...gap, stations: 1 })),
  }));
}

/** CSS pixels that the lanes of so many stations need below a panel; none for one: its gaps fill the panel. */
export function laneAreaPx(stations: number): number {
  if (stations <= 1) return 0;
  if (stations > MOST_LANES) return JOINT_LANE_PX + MARGIN_PX;
  return stations * (LANE_PX + LANE_GAP_PX) + MARGIN_PX;
}

/** Place of a lane below the panel's foot, CSS pixels. */
export function laneBox(index: number, stations: number): { readonly topPx: number; readonly heightPx: number } {
  if (stations > MOST_LANES) return { topPx: MARGIN_PX / 2 + 1, heightPx: JOINT_LANE_PX };
  return { topPx: MARGIN_PX / 2 + 1 + index * (LANE_PX + LANE_GAP_PX), heightPx: LANE_PX };
}

/** The part of a joint lane that a piece fills: from the foot, as high as the share of the stations it is true of. */
export function sharedBox(
  box: { readonly top: number; readonly height: number },
  piece: LanePiece,
  stations: number,
  leastPx: number,
): { readonly top: number; readonly height: number } {
  const share = Math.min(1, piece.stations / Math.max(1, stations));
  const height = Math.min(box.height, Math.max(leastPx, Math.round(box.height * share)));
  return { top: box.top + box.height - height, height };
}

function jointPieces(stations: readonly StationGaps[], view: TimeRange, widthPx: number): LanePiece[] {
  const perMs = widthPx / (view.endMs - view.startMs);
  const causes = [...new Set(stations.flatMap((s) => s.gaps.map((g) => g.cause)))];
  const counts = causes.map(() => new Uint16Array(widthPx));
  for (const { gaps } of stations) {
    for (const { range, cause } of gaps) {
      const from = Math.max(0, Math.floor((range.startMs - view.startMs) * perMs));
      const to = Math.min(widthPx, Math.ceil((range.endMs - view.startMs) * perMs));
      const row = counts[causes.indexOf(cause)]!;
      for (let px = from; px < to; px++) row[px]!++;
    }
  }
  const pieces: { startPx: number; endPx: number; cause: GapCause; stations: number }[] = [];
  for (let px = 0; px < widthPx; px++) {
    let most = 0;
    for (let c = 1; c < causes.length; c++) if (counts[c]![px]! > counts[most]![px]!) most = c;
    const n = counts[most]?.[px] ?? 0;
    const last = pieces.at(-1);
    if (n === 0) continue;
    if (last && last.endPx === px && last.cause === causes[most] && last.stations === n) last.endPx++;
    else pieces.push({ startPx: px, endPx: px + 1, cause: causes[most]!, stations: n });
  }
  const momentOf = (px: number): number => view.startMs + px / perMs;
  return pieces.map(({ startPx, endPx, cause, stations: n }) => ({
    range: { startMs: momentOf(startPx), endMs: momentOf(endPx) },
    cause,
    stations: n,
  }));
}

/** The piece at a moment; where pieces are narrower than `withinMs`, the nearest one. */
export function pieceAt(pieces: readonly LanePiece[], momentMs: number, withinMs: number): LanePiece | null {
  let best: LanePiece | null = null;
  let bestMs = withinMs;
  for (const piece of pieces) {
    const { startMs, endMs } = piece.range;
    if (momentMs >= startMs && momentMs < endMs) return piece;
    const distance = momentMs < startMs ? startMs - momentMs : momentMs - endMs;
    if (distance <= bestMs) {
      best = piece;
      bestMs = distance;
    }
  }
  return best;
}
