import { useMemo, useRef, useState } from "react";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import { variableKind } from "#shared/service/variables.ts";
import { intersectRange, type TimeRange } from "#shared/time/range.ts";
import { askAgain, pose, question } from "../../ask/ask.ts";
import { gapsOf } from "../../ask/questions.ts";
import { shownOf, useAsk, useAskEach } from "../../ask/useAsk.ts";
import { rowsInOrder } from "./order.ts";
import { type OrderedRows, type RowQuery, rowsByTime, type RowSource, type TablePage } from "./source.ts";

/** What may change the rows of a table. */
const CACHE = { staleAfter: ["cacheChanged"] } as const;
const PAGE_ROWS = 500;
/** Maximum number of pages kept: some hundred screens. */
const MAX_PAGES = 40;

export interface RowLocation {
  readonly page: TablePage;
  /** Index in the page's arrays. */
  readonly index: number;
  readonly timeMs: number;
}

/** The rows of a source, read page by page as they become visible. */
export type Pages = ReturnType<typeof usePages>;

/** The content of a page, which tells which changes of the cache concern it. */
interface PageInput extends Partial<Pick<RowQuery, "connectionId" | "stationIds">> {
  readonly page: number;
}

const FIRST_PAGE = [0];
/** Nothing is asked without an order. */
const NEVER = new Promise<never>(() => {});

/** Returns the pages of a source, which are read again when its rows change; known pages stay until then. */
export function usePages(source: RowSource) {
  const { key, ordering, cached } = source;
  const subject = cached ? { connectionId: cached.connectionId, stationIds: cached.stationIds } : {};
  const orderOf = useMemo(
    () => question<typeof subject, OrderedRows>((_, { signal }) => ordering?.order({ signal }) ?? NEVER, CACHE),
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the source, a new object in every render
    [key],
  );
  const order = useAsk(orderOf, ordering ? subject : null, { delayMs: 0 });
  const rows = useMemo(
    () => (ordering ? order.value && rowsInOrder(order.value, ordering.at) : rowsByTime(source)),
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the source
    [key, order.value],
  );
  const pageOf = useMemo(
    () =>
      question<PageInput, TablePage>(
        ({ page }, { signal }) => rows?.page(page * PAGE_ROWS, PAGE_ROWS, { signal }) ?? NEVER,
        // The order is read again after changes, and with it its pages.
        ordering ? { staleAfter: [] } : CACHE,
      ),
    // oxlint-disable-next-line react/exhaustive-deps -- the rows stand for the order
    [rows],
  );
  const [wanted, setWanted] = useState<readonly number[]>(FIRST_PAGE);
  const answers = useAskEach(pageOf, rows ? wanted.map((page) => ({ ...subject, page })) : []);
  const kept = useRef({ key, pages: new Map<number, TablePage>() });
  if (kept.current.key !== key) kept.current = { key, pages: new Map() };
  const { pages } = kept.current;
  answers.forEach(({ value }, i) => {
    if (value) keep(pages, wanted[i] ?? 0, value);
  });
  const latest = [...pages.values()].at(-1);
  const fault = order.fault ?? answers.find((answer) => answer.fault)?.fault ?? null;
  return {
    /** null until the order is known. */
    rows,
    /** Number of rows of the whole range; null before the first page. */
    total: latest?.total ?? null,
    /** Number of rows that are not gaps. */
    values: latest?.rows ?? latest?.total ?? null,
    fault,
    /** Returns the location of a row; null if its page is not loaded. */
    row(index: number): RowLocation | null {
      const page = pages.get(Math.floor(index / PAGE_ROWS));
      return page ? locationIn(page, index % PAGE_ROWS) : null;
    },
    /** Tells which rows are visible: their pages are read, and reading others ends. */
    want(from: number, to: number): void {
      const last = Math.max(0, Math.floor(Math.max(from, to - 1) / PAGE_ROWS));
      const first = Math.max(0, Math.floor(from / PAGE_ROWS));
      const next = Array.from({ length: last - first + 1 }, (_, i) => first + i);
      setWanted((before) => (before.join() === next.join() ? before : next));
    },
    /** Asks again after a fault. */
    again(): void {
      if (order.fault) return order.again();
      for (const page of wanted) askAgain(pose(pageOf, { ...subject, page }));
    },
  };
}

/** The locations in each page: the same objects until it is read again, so that no row renders without a change. */
const LOCATIONS = new WeakMap<TablePage, RowLocation[]>();

function locationIn(page: TablePage, index: number): RowLocation | null {
  const timeMs = page.timesMs[index];
  if (timeMs === undefined) return null;
  const known = LOCATIONS.get(page) ?? [];
  LOCATIONS.set(page, known);
  return (known[index] ??= { page, index, timeMs });
}

/** Keeps a page as the one used last, and drops the one used least recently. */
function keep(pages: Map<number, TablePage>, page: number, rows: TablePage): void {
  pages.delete(page);
  pages.set(page, rows);
  const [oldest] = pages.keys();
  if (pages.size > MAX_PAGES && oldest !== undefined) pages.delete(oldest);
}

/** Maximum time between two observations of a station. */
const MAX_STEP_SECONDS = 1_800;

/** Returns the time range of the visible rows, in any order; null without rows. */
function visibleRange(pages: Pages, from: number, to: number): TimeRange | null {
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
  const seen = visibleRange(pages, from, to);
  const range = seen && cached && gapsRange(seen, cached);
  const variables = cached?.variables.filter((v) => variableKind(v) === "scalar") ?? [];
  const input = cached && range && variables.length > 0 ? { ...cached, variables, range, minimumMs: 0 } : null;
  const keepFor = [cached?.connectionId, cached?.stationIds, cached?.mode];
  // A gap keeps its time: those of the rows before are still right where they are shown.
  return shownOf(useAsk(gapsOf, input, { keepFor })) ?? NO_GAPS;
}
