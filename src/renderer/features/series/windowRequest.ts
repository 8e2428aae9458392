import type { Bridge } from "#shared/bridge/contract.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { snapToUnits, widen } from "../../plot/view.ts";
import type { SeriesQuery } from "./query.ts";

export type WindowRequest = Parameters<Bridge["series"]["window"]>[0];

/** What a window is needed for. */
export interface Needed {
  readonly stationIds: readonly string[];
  readonly view: TimeRange;
  /** Whether the window reaches beyond the view, for its next movement; without, it arrives sooner. */
  readonly isWide: boolean;
}

const EXACT_COLUMNS = { min: 1_024, max: 8_192 };
const WIDE_COLUMNS = { min: 4_096, max: 8_192 };
const MANY_STATIONS = 5;
const VERY_MANY_STATIONS = 100;
/** Length of a wide window, in spans of the view. */
const WIDE_SPANS = 3;
/** Maximum number of rows, of all stations and of one, that are drawn as rows. */
const MAX_ROWS_TOTAL = 200_000;
const MAX_ROWS_PER_STATION = 100_000;
/** A lower maximum for the first request: columns arrive sooner. */
const MAX_FIRST_ROWS_TOTAL = 12_000;

/** @param widthPx width of the plot in device pixels */
export function windowRequest(query: SeriesQuery, needed: Needed, widthPx: number): WindowRequest {
  const { connectionId, variables, mode } = query;
  const { stationIds, view, isWide } = needed;
  const columns = isWide ? WIDE_COLUMNS : EXACT_COLUMNS;
  // Two columns per pixel.
  const perPixel = isWide ? WIDE_SPANS * 2 : 2;
  const maxRows = isWide ? MAX_ROWS_TOTAL : MAX_FIRST_ROWS_TOTAL;
  return {
    connectionId,
    variables: [...variables],
    mode,
    stationIds: [...stationIds],
    range: isWide ? widen(view, WIDE_SPANS) : snapToUnits(view),
    columns: Math.min(maxColumns(query, columns), Math.max(columns.min, Math.ceil(widthPx * perPixel))),
    mostRows: Math.min(MAX_ROWS_PER_STATION, Math.floor(maxRows / query.stationIds.length)),
  };
}

/** Returns the width that a column of a window may have: a pixel, or as little as possible if that is more. */
export function widestColumnMs(query: SeriesQuery, view: TimeRange, widthPx: number): number {
  const spanMs = view.endMs - view.startMs;
  return Math.max(spanMs / widthPx, (WIDE_SPANS * spanMs) / maxColumns(query, WIDE_COLUMNS));
}

/** Fewer columns for many stations, to limit messages and memory. */
function maxColumns({ stationIds }: SeriesQuery, { min, max }: typeof WIDE_COLUMNS): number {
  if (stationIds.length > VERY_MANY_STATIONS) return EXACT_COLUMNS.min;
  return stationIds.length < MANY_STATIONS ? max : Math.max(min, max / 2);
}
