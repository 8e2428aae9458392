import { useEffect, useMemo, useReducer, useRef } from "react";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { variableKind } from "#shared/service/variables.ts";
import { intersectRange, type TimeRange } from "#shared/time/range.ts";
import { gapsOf } from "../../ask/questions.ts";
import { shownOf, useAsk } from "../../ask/useAsk.ts";
import type { RowQuery, RowSource, TablePage } from "./source.ts";

export const PAGE_ROWS = 500;
/** Maximum number of pages kept: some hundred screens. */
const MAX_PAGES = 40;

export interface RowLocation {
  readonly page: TablePage;
  /** Index in the page's arrays. */
  readonly index: number;
  readonly timeMs: number;
}

/** The rows of a source, fetched page by page as they become visible. */
export type Pages = ReturnType<typeof createPages>;

type FetchPage = (offset: number, limit: number, signal: AbortSignal) => Promise<Result<TablePage, AppFault>>;

/** @param onChange called when a page arrived or failed */
export function createPages(fetchPage: FetchPage, onChange: () => void) {
  const kept = new Map<number, TablePage>();
  let total: number | null = null;
  let values: number | null = null;
  let fault: AppFault | null = null;
  let wanted: number[] = [0];
  let pending: { readonly page: number; readonly control: AbortController } | null = null;
  const stale = new Set<number>();

  async function next(): Promise<void> {
    if (pending || fault) return;
    const page = wanted.find((p) => !kept.has(p) || stale.has(p));
    if (page === undefined) return;
    const control = new AbortController();
    pending = { page, control };
    stale.delete(page);
    const answer = await fetchPage(page * PAGE_ROWS, PAGE_ROWS, control.signal);
    pending = null;
    if (answer.ok) keep(page, answer.value);
    else if (answer.error.kind !== "cancelled") fault = answer.error;
    onChange();
    void next();
  }

  function keep(page: number, rows: TablePage): void {
    total = rows.total;
    values = rows.rows ?? rows.total;
    kept.set(page, rows);
    if (kept.size <= MAX_PAGES) return;
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }

  return {
    /** Number of rows of the whole range; null before the first page. */
    total: (): number | null => total,
    /** Number of rows that are not gaps. */
    values: (): number | null => values,
    fault: (): AppFault | null => fault,
    /** Returns the location of a row; null if its page is not loaded. */
    row(index: number): RowLocation | null {
      const page = kept.get(Math.floor(index / PAGE_ROWS));
      const indexInPage = index % PAGE_ROWS;
      const timeMs = page?.timesMs[indexInPage];
      return page && timeMs !== undefined ? { page, index: indexInPage, timeMs } : null;
    },
    /** Tells which rows are visible: missing ones are fetched, requests for others are cancelled. */
    want(from: number, to: number): void {
      const last = Math.max(0, Math.floor(Math.max(from, to - 1) / PAGE_ROWS));
      const first = Math.max(0, Math.floor(from / PAGE_ROWS));
      wanted = Array.from({ length: last - first + 1 }, (_, i) => first + i);
      for (const page of wanted) {
        const rows = kept.get(page);
        if (!rows) continue;
        // Moves the page to the end: the least recently used page is dropped first.
        kept.delete(page);
        kept.set(page, rows);
      }
      if (pending && !wanted.includes(pending.page)) pending.control.abort();
      void next();
    },
    /** Fetches the pages again that are loaded or on their way; they stay visible until then. */
    refresh(): void {
      for (const page of [...kept.keys(), ...(pending ? [pending.page] : [])]) stale.add(page);
      fault = null;
      void next();
    },
    close(): void {
      wanted = [];
      pending?.control.abort();
    },
  };
}

const REFRESH_MS = 1_000;
/** Maximum time between two observations of a station. */
const MAX_STEP_SECONDS = 1_800;

/** Returns the pages of a source, which are fetched again when its rows change. */
export function usePages(source: RowSource): Pages {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const { key } = source;
  const latest = useRef(source);
  latest.current = source;
  const pages = useMemo(() => {
    const { current } = latest;
    return createPages((offset, limit, signal) => current.page(current.range, offset, limit, signal), redraw);
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the source, a new object in every render
  }, [key]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unfollow = latest.current.follow(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        pages.refresh();
      }, REFRESH_MS);
    });
    return () => {
      unfollow();
      clearTimeout(timer);
      pages.close();
    };
  }, [pages]);
  return pages;
}

/** Returns the time range of the visible rows, in any order; null without rows. */
function timesOf(pages: Pages, from: number, to: number): TimeRange | null {
  let [startMs, endMs] = [Infinity, -Infinity];
  for (let row = from; row < to; row++) {
    const location = pages.row(row);
    if (!location) continue;
    startMs = Math.min(startMs, location.timeMs);
    endMs = Math.max(endMs, location.timeMs + 1);
  }
  return startMs < endMs ? { startMs, endMs } : null;
}

/**
 * Returns the range of the gaps that visible rows may show. A gap may extend beyond the rows, and only counts as a gap if it
 * is longer than a step. The time range of the table limits it: the epoch of a step that begins before it was not requested,
 * and is not a gap of the table.
 */
export function gapsRange(seen: TimeRange, { range, mode }: Pick<RowQuery, "range" | "mode">): TimeRange {
  const marginMs = 2_000 * Math.max(MAX_STEP_SECONDS, mode.intervalSeconds ?? 0);
  return intersectRange({ startMs: seen.startMs - marginMs, endMs: seen.endMs + marginMs }, range);
}

const NO_GAPS: readonly SeriesGaps[] = [];

/** Returns the gaps within the visible rows, with their causes; none for rows of a file. */
export function useCellGaps({ cached }: RowSource, pages: Pages, from: number, to: number): readonly SeriesGaps[] {
  const seen = timesOf(pages, from, to);
  const range = seen && cached && gapsRange(seen, cached);
  const variables = cached?.variables.filter((v) => variableKind(v) === "scalar") ?? [];
  const input = cached && range && variables.length > 0 ? { ...cached, variables, range, minimumMs: 0 } : null;
  const keepFor = [cached?.connectionId, cached?.stationIds, cached?.mode];
  // A gap keeps its time: those of the rows before are still right where they are shown.
  return shownOf(useAsk(gapsOf, input, { keepFor })) ?? NO_GAPS;
}
