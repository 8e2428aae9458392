import type { Bridge } from "#shared/bridge/contract.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { AppFault } from "#shared/fault.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { widen, snapToUnits } from "../../plot/view.ts";
import type { SeriesQuery } from "./query.ts";

export type WindowRequest = Parameters<Bridge["series"]["window"]>[0];

export interface Loaded {
  readonly windows: ReadonlyMap<string, SeriesWindow>;
  readonly isLoading: boolean;
  readonly fault: AppFault | null;
}

/**
 * Loads the data that a view needs: for each station a window around the view, in columns as narrow as pixels or in full
 * rows. At most one request is pending at a time, for the stations with insufficient data; existing windows are kept until
 * better ones arrive.
 */
export interface Loader {
  /** Drops windows of other variables, modes and connections; keeps those of remaining stations. null drops all. */
  setQuery(query: SeriesQuery | null): void;
  /** Sets the current view; call it with every movement. */
  setView(view: TimeRange, widthPx: number): void;
  /** Call when rows of the stations (null: of any) have changed. */
  refresh(stationIds: readonly string[] | null): void;
  retry(): void;
  close(): void;
}

/** Limits of the number of columns of a window. */
interface ColumnLimits {
  readonly min: number;
  readonly max: number;
}

const EXACT_COLUMNS = { min: 1_024, max: 8_192 };
const WIDE_COLUMNS = { min: 4_096, max: 8_192 };
const MANY_STATIONS = 5;
const VERY_MANY_STATIONS = 100;
/** Length of a wide window, in spans of the view. */
const WIDE_SPANS = 3;
/** Minimum length of a window around the view, in its spans, below which more is requested. */
const MIN_SPANS = 2;
/** Maximum number of rows, of all stations and of one, that are drawn as rows. */
const MAX_ROWS_TOTAL = 200_000;
const MAX_ROWS_PER_STATION = 100_000;
/** A lower maximum for the first request: columns arrive sooner, and most hovered stations are never selected. */
const MAX_FIRST_ROWS_TOTAL = 12_000;
const REST_MS = 150;
const REFRESH_MS = 400;

/** Calls `act` after a delay. @returns a function that cancels it */
export type Delay = (act: () => void, ms: number) => () => void;

const byTimer: Delay = (act, ms) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/** @param onChange called with every change; `hasArrived`: whether there is new data to draw */
export function createLoader(
  series: Pick<Bridge["series"], "window">,
  onChange: (loaded: Loaded, hasArrived: boolean) => void,
  delay: Delay = byTimer,
): Loader {
  let query: SeriesQuery | null = null;
  let windows = new Map<string, SeriesWindow>();
  const stale = new Set<string>();
  let view: TimeRange | null = null;
  let widthPx = 1_000;
  let pending: { readonly range: TimeRange; readonly control: AbortController } | null = null;
  let fault: AppFault | null = null;
  let cancelRest: (() => void) | null = null;
  let cancelRefresh: (() => void) | null = null;

  const publish = (hasArrived = false): void => onChange({ windows, isLoading: pending !== null, fault }, hasArrived);

  /** Returns the stations whose windows are insufficient within a range. */
  function insufficient(within: TimeRange): string[] {
    if (!query || !view) return [];
    // As fine as a pixel, or as fine as possible; otherwise it would be requested again and again.
    const span = view.endMs - view.startMs;
    const columnMs = Math.max(span / widthPx, (WIDE_SPANS * span) / maxColumns(query, WIDE_COLUMNS));
    return query.stationIds.filter((id) => {
      const window = windows.get(id);
      return !window || stale.has(id) || !isEnough(window, within, columnMs);
    });
  }

  function check(): void {
    if (!query || !view || fault) return;
    if (pending) {
      const isOutside = pending.range.endMs <= view.startMs || pending.range.startMs >= view.endMs;
      if (!isOutside) return;
      pending.control.abort();
      pending = null;
    }
    cancelRest?.();
    const ids = insufficient(view);
    if (ids.length > 0) {
      // Stations without data get only the visible range first; stations that lack detail get a wide window.
      const isFirst = ids.some((id) => !windows.has(id));
      void load(ids, isFirst ? snapToUnits(view) : widen(view, WIDE_SPANS), isFirst ? EXACT_COLUMNS : WIDE_COLUMNS);
      return;
    }
    cancelRest = delay(() => {
      const more = view ? insufficient(widen(view, MIN_SPANS)) : [];
      if (more.length > 0 && view && !pending) void load(more, widen(view, WIDE_SPANS), WIDE_COLUMNS);
    }, REST_MS);
  }

  async function load(ids: readonly string[], range: TimeRange, columns: ColumnLimits): Promise<void> {
    if (!query) return;
    const control = new AbortController();
    const own = { range, control };
    pending = own;
    for (const id of ids) stale.delete(id);
    publish();
    const answer = await series.window(windowRequest(query, { stationIds: ids, range }, columns, widthPx), {
      signal: control.signal,
    });
    if (pending !== own) return;
    pending = null;
    if (answer.ok) {
      const wanted = new Set(query.stationIds);
      windows = new Map([...windows, ...answer.value.map((w) => [w.stationId, w] as const)]);
      for (const id of windows.keys()) if (!wanted.has(id)) windows.delete(id);
      // A station unknown to the core gets an empty window; otherwise it would be requested again and again.
      for (const id of ids) if (wanted.has(id) && !windows.has(id)) windows.set(id, emptyWindow(id, range));
    } else if (answer.error.kind !== "cancelled") fault = answer.error;
    publish(answer.ok);
    check();
  }

  function retry(): void {
    fault = null;
    publish();
    check();
  }

  function cancel(): void {
    pending?.control.abort();
    pending = null;
  }

  return {
    setQuery(next) {
      if (JSON.stringify(next) === JSON.stringify(query)) return;
      const isSame =
        query !== null &&
        next !== null &&
        next.connectionId === query.connectionId &&
        JSON.stringify([next.variables, next.mode]) === JSON.stringify([query.variables, query.mode]);
      query = next;
      fault = null;
      if (!isSame) {
        cancel();
        windows = new Map();
        stale.clear();
      }
      if (next === null) return publish();
      const wanted = new Set(next.stationIds);
      if ([...windows.keys()].some((id) => !wanted.has(id))) {
        windows = new Map([...windows].filter(([id]) => wanted.has(id)));
      }
      // A pending request without a new station must not delay it.
      if (pending && next.stationIds.some((id) => !windows.has(id))) cancel();
      publish();
      check();
    },
    setView(next, width) {
      const isOther = view?.startMs !== next.startMs || view.endMs !== next.endMs;
      view = next;
      widthPx = Math.max(1, width);
      if (fault === null || !isOther) return check();
      // What failed for one range may work for another; at rest, so that a movement does not repeat a failure every frame.
      cancelRest?.();
      cancelRest = delay(retry, REST_MS);
    },
    refresh(stationIds) {
      const touched = query?.stationIds.filter((id) => stationIds === null || stationIds.includes(id)) ?? [];
      for (const id of touched) stale.add(id);
      if (touched.length === 0) return;
      // At once, then throttled, because a download reports changes several times a second.
      if (cancelRefresh !== null) return;
      check();
      cancelRefresh = delay(() => {
        cancelRefresh = null;
        check();
      }, REFRESH_MS);
    },
    retry,
    close() {
      cancelRest?.();
      cancelRefresh?.();
      cancel();
      query = null;
    },
  };
}

/** Returns the first request of a query without any windows. */
export function firstRequest(query: SeriesQuery, view: TimeRange, widthPx: number): WindowRequest {
  return windowRequest(query, { range: snapToUnits(view) }, EXACT_COLUMNS, widthPx);
}

function windowRequest(
  query: SeriesQuery,
  { stationIds = query.stationIds, range }: { readonly stationIds?: readonly string[]; readonly range: TimeRange },
  columns: ColumnLimits,
  widthPx: number,
): WindowRequest {
  const { connectionId, variables, mode } = query;
  const isWide = columns === WIDE_COLUMNS;
  // Two columns per pixel.
  const perPixel = isWide ? WIDE_SPANS * 2 : 2;
  const maxRows = isWide ? MAX_ROWS_TOTAL : MAX_FIRST_ROWS_TOTAL;
  return {
    connectionId,
    variables: [...variables],
    mode,
    stationIds: [...stationIds],
    range,
    columns: Math.min(maxColumns(query, columns), Math.max(columns.min, Math.ceil(widthPx * perPixel))),
    mostRows: Math.min(MAX_ROWS_PER_STATION, Math.floor(maxRows / query.stationIds.length)),
  };
}

/** Fewer columns for many stations, to limit messages and memory. */
function maxColumns({ stationIds }: SeriesQuery, { min, max }: ColumnLimits): number {
  if (stationIds.length > VERY_MANY_STATIONS) return EXACT_COLUMNS.min;
  return stationIds.length < MANY_STATIONS ? max : Math.max(min, max / 2);
}

function isEnough(window: SeriesWindow, within: TimeRange, columnMs: number): boolean {
  if (window.range.startMs > within.startMs || window.range.endMs < within.endMs) return false;
  if (window.kind === "rows") return true;
  // The range of a window is in whole milliseconds, but the span of a view may not be.
  return (window.range.endMs - window.range.startMs) / window.columns <= columnMs * 1.001;
}

function emptyWindow(stationId: string, range: TimeRange): SeriesWindow {
  return { kind: "rows", stationId, range, timesMs: new Float64Array(0), values: {} };
}
