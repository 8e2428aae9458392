import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import type { TablePage } from "./source.ts";

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
export interface Pages {
  /** Number of rows of the whole range; null before the first page. */
  total(): number | null;
  fault(): AppFault | null;
  /** Returns the location of a row; null if its page is not loaded. */
  row(index: number): RowLocation | null;
  /** Tells which rows are visible: missing ones are fetched, requests for others are cancelled. */
  want(from: number, to: number): void;
  /** Fetches the loaded pages again; they stay visible until then. */
  refresh(): void;
  close(): void;
}

type FetchPage = (offset: number, limit: number, signal: AbortSignal) => Promise<Result<TablePage, AppFault>>;

/** @param onChange called when a page arrived or failed */
export function createPages(fetchPage: FetchPage, onChange: () => void): Pages {
  const kept = new Map<number, TablePage>();
  let total: number | null = null;
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
    kept.set(page, rows);
    if (kept.size <= MAX_PAGES) return;
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }

  return {
    total: () => total,
    fault: () => fault,
    row(index) {
      const page = kept.get(Math.floor(index / PAGE_ROWS));
      const indexInPage = index % PAGE_ROWS;
      const timeMs = page?.timesMs[indexInPage];
      return page && timeMs !== undefined ? { page, index: indexInPage, timeMs } : null;
    },
    want(from, to) {
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
    refresh() {
      for (const page of kept.keys()) stale.add(page);
      fault = null;
      void next();
    },
    close() {
      wanted = [];
      pending?.control.abort();
    },
  };
}
