import type { Bridge } from "#shared/bridge/contract.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { AppFault } from "#shared/fault.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { around, settled } from "../../plot/view.ts";
import type { SeriesQuery } from "./query.ts";

type WindowQuestion = Parameters<Bridge["series"]["window"]>[0];

export interface Loaded {
  readonly windows: ReadonlyMap<string, SeriesWindow>;
  readonly isLoading: boolean;
  readonly fault: AppFault | null;
}

/**
 * Keeps what is needed to draw a view: of every station a window around it, in columns as narrow as its pixels or in
 * full rows. One request is under way at a time, for the stations that lack something; what is there is kept until
 * better arrives.
 */
export interface Loader {
  /** Windows of another variable, mode or connection are dropped, those of stations that stay are kept; null: all are. */
  setQuery(query: SeriesQuery | null): void;
  /** The view now; called with every move. */
  want(view: TimeRange, widthPx: number): void;
  /** Rows of the stations (null: any) have changed. */
  refresh(stationIds: readonly string[] | null): void;
  retry(): void;
  close(): void;
}

interface Columns {
  readonly least: number;
  readonly most: number;
}

const EXACT_COLUMNS = { least: 1_024, most: 8_192 };
const WIDE_COLUMNS = { least: 4_096, most: 8_192 };
const MANY_STATIONS = 5;
const VERY_MANY_STATIONS = 100;
const WIDE_TIMES = 3;
/** Less room than this around the view, in its own spans, and more is asked for. */
const ROOM_TIMES = 2;
/** Rows of all stations together, and of one, that are drawn as they are. */
const ROWS_TOGETHER = 200_000;
const MOST_ROWS = 100_000;
/** At first fewer: columns of many rows are here sooner than the rows, and most that the pointer passes is never pressed. */
const FIRST_ROWS_TOGETHER = 12_000;
const REST_MS = 150;
const REFRESH_MS = 400;

/** Does something after a while; the answer takes it back. */
export type Later = (act: () => void, ms: number) => () => void;

const byTimer: Later = (act, ms) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/** @param tell gets every change; `hasArrived` where there is something new to draw */
export function createLoader(
  series: Pick<Bridge["series"], "window">,
  tell: (loaded: Loaded, hasArrived: boolean) => void,
  later: Later = byTimer,
): Loader {
  let query: SeriesQuery | null = null;
  let windows = new Map<string, SeriesWindow>();
  const stale = new Set<string>();
  let view: TimeRange | null = null;
  let widthPx = 1_000;
  let underWay: { readonly range: TimeRange; readonly control: AbortController } | null = null;
  let fault: AppFault | null = null;
  let cancelRest: (() => void) | null = null;
  let cancelRefresh: (() => void) | null = null;

  const publish = (hasArrived = false): void => tell({ windows, isLoading: underWay !== null, fault }, hasArrived);

  function lacking(within: TimeRange): string[] {
    if (!query || !view) return [];
    // As fine as a pixel, or as fine as it can be had: else it would be asked for again and again.
    const span = view.endMs - view.startMs;
    const columnMs = Math.max(span / widthPx, (WIDE_TIMES * span) / mostColumns(query, WIDE_COLUMNS));
    return query.stationIds.filter((id) => {
      const window = windows.get(id);
      return !window || stale.has(id) || !isEnough(window, within, columnMs);
    });
  }

  function check(): void {
    if (!query || !view || fault) return;
    if (underWay) {
      const isOutside = underWay.range.endMs <= view.startMs || underWay.range.startMs >= view.endMs;
      if (!isOutside) return;
      underWay.control.abort();
      underWay = null;
    }
    cancelRest?.();
    const ids = lacking(view);
    if (ids.length > 0) {
      // What is not in sight yet comes first and alone; what only lacks detail brings its surroundings along.
      const isFirst = ids.some((id) => !windows.has(id));
      void load(ids, isFirst ? settled(view) : around(view, WIDE_TIMES), isFirst ? EXACT_COLUMNS : WIDE_COLUMNS);
      return;
    }
    cancelRest = later(() => {
      const more = view ? lacking(around(view, ROOM_TIMES)) : [];
      if (more.length > 0 && view && !underWay) void load(more, around(view, WIDE_TIMES), WIDE_COLUMNS);
    }, REST_MS);
  }

  async function load(ids: readonly string[], range: TimeRange, columns: Columns): Promise<void> {
    if (!query) return;
    const control = new AbortController();
    const mine = { range, control };
    underWay = mine;
    for (const id of ids) stale.delete(id);
    publish();
    const answer = await series.window(questionOf(query, ids, range, columns, widthPx), { signal: control.signal });
    if (underWay !== mine) return;
    underWay = null;
    if (answer.ok) {
      const wanted = new Set(query.stationIds);
      windows = new Map([...windows, ...answer.value.map((w) => [w.stationId, w] as const)]);
      for (const id of windows.keys()) if (!wanted.has(id)) windows.delete(id);
      // A station that the core does not know gets no window: asked again and again it would keep everyone busy.
      for (const id of ids) if (wanted.has(id) && !windows.has(id)) windows.set(id, emptyWindow(id, range));
    } else if (answer.error.kind !== "cancelled") fault = answer.error;
    publish(answer.ok);
    check();
  }

  function drop(): void {
    underWay?.control.abort();
    underWay = null;
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
        drop();
        windows = new Map();
        stale.clear();
      }
      if (next === null) return publish();
      const wanted = new Set(next.stationIds);
      if ([...windows.keys()].some((id) => !wanted.has(id))) {
        windows = new Map([...windows].filter(([id]) => wanted.has(id)));
      }
      // A request that does not ask for a new station must not keep it waiting.
      if (underWay && next.stationIds.some((id) => !windows.has(id))) drop();
      publish();
      check();
    },
    want(next, width) {
      view = next;
      widthPx = Math.max(1, width);
      check();
    },
    refresh(stationIds) {
      const touched = query?.stationIds.filter((id) => stationIds === null || stationIds.includes(id)) ?? [];
      for (const id of touched) stale.add(id);
      if (touched.length === 0) return;
      // At once, then at most so often: a download tells of its answers several times a second.
      if (cancelRefresh !== null) return;
      check();
      cancelRefresh = later(() => {
        cancelRefresh = null;
        check();
      }, REFRESH_MS);
    },
    retry() {
      fault = null;
      publish();
      check();
    },
    close() {
      cancelRest?.();
      cancelRefresh?.();
      drop();
      query = null;
    },
  };
}

/** What is asked for first of a query of which nothing is here. */
export function firstQuestion(query: SeriesQuery, view: TimeRange, widthPx: number): WindowQuestion {
  return questionOf(query, query.stationIds, settled(view), EXACT_COLUMNS, widthPx);
}

function questionOf(
  query: SeriesQuery,
  ids: readonly string[],
  range: TimeRange,
  columns: Columns,
  widthPx: number,
): WindowQuestion {
  const { connectionId, variables, mode } = query;
  const isWide = columns === WIDE_COLUMNS;
  const spans = isWide ? WIDE_TIMES * 2 : 2;
  const together = isWide ? ROWS_TOGETHER : FIRST_ROWS_TOGETHER;
  return {
    connectionId,
    variables: [...variables],
    mode,
    stationIds: [...ids],
    range,
    columns: Math.min(mostColumns(query, columns), Math.max(columns.least, Math.ceil(widthPx * spans))),
    mostRows: Math.min(MOST_ROWS, Math.floor(together / query.stationIds.length)),
  };
}

/** Of many stations fewer: they are much to send, and to hold. */
function mostColumns({ stationIds }: SeriesQuery, { least, most }: Columns): number {
  if (stationIds.length > VERY_MANY_STATIONS) return EXACT_COLUMNS.least;
  return stationIds.length < MANY_STATIONS ? most : Math.max(least, most / 2);
}

function isEnough(window: SeriesWindow, within: TimeRange, columnMs: number): boolean {
  if (window.range.startMs > within.startMs || window.range.endMs < within.endMs) return false;
  if (window.kind === "rows") return true;
  // A span is not always a whole number of milliseconds, the range of a window is.
  return (window.range.endMs - window.range.startMs) / window.columns <= columnMs * 1.001;
}

function emptyWindow(stationId: string, range: TimeRange): SeriesWindow {
  return { kind: "rows", stationId, range, timesMs: new Float64Array(0), values: {} };
}
