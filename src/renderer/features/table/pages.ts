import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import type { TablePage } from "./source.ts";

export const PAGE_ROWS = 500;
/** Pages that are kept: some hundred screens. */
const MOST_PAGES = 40;

export interface RowPlace {
  readonly page: TablePage;
  /** Place in the page's arrays. */
  readonly at: number;
}

/** Rows of one selection, fetched page by page as they come into sight. */
export interface Pages {
  /** Rows of the whole range; null before the first page. */
  total(): number | null;
  fault(): AppFault | null;
  /** The row where it is here. */
  row(index: number): RowPlace | null;
  /** These rows are in sight now: what is missing of them is fetched, what was wanted before is not any more. */
  want(from: number, to: number): void;
  /** What is here may have changed: it stays until it was fetched again. */
  refresh(): void;
  close(): void;
}

type FetchPage = (offset: number, limit: number, signal: AbortSignal) => Promise<Result<TablePage, AppFault>>;

/** @param tell called when something arrived */
export function createPages(fetchPage: FetchPage, tell: () => void): Pages {
  const kept = new Map<number, TablePage>();
  let total: number | null = null;
  let fault: AppFault | null = null;
  let wanted: number[] = [0];
  let underWay: { readonly page: number; readonly control: AbortController } | null = null;
  const stale = new Set<number>();

  async function next(): Promise<void> {
    if (underWay || fault) return;
    const page = wanted.find((p) => !kept.has(p) || stale.has(p));
    if (page === undefined) return;
    const control = new AbortController();
    underWay = { page, control };
    stale.delete(page);
    const answer = await fetchPage(page * PAGE_ROWS, PAGE_ROWS, control.signal);
    underWay = null;
    if (answer.ok) keep(page, answer.value);
    else if (answer.error.kind !== "cancelled") fault = answer.error;
    tell();
    void next();
  }

  function keep(page: number, rows: TablePage): void {
    total = rows.total;
    kept.set(page, rows);
    if (kept.size <= MOST_PAGES) return;
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }

  return {
    total: () => total,
    fault: () => fault,
    row(index) {
      const page = kept.get(Math.floor(index / PAGE_ROWS));
      const at = index % PAGE_ROWS;
      return page && at < page.timesMs.length ? { page, at } : null;
    },
    want(from, to) {
      const last = Math.max(0, Math.floor(Math.max(from, to - 1) / PAGE_ROWS));
      const first = Math.max(0, Math.floor(from / PAGE_ROWS));
      wanted = Array.from({ length: last - first + 1 }, (_, i) => first + i);
      for (const page of wanted) {
        const rows = kept.get(page);
        if (!rows) continue;
        // Used last, dropped last.
        kept.delete(page);
        kept.set(page, rows);
      }
      if (underWay && !wanted.includes(underWay.page)) underWay.control.abort();
      void next();
    },
    refresh() {
      for (const page of kept.keys()) stale.add(page);
      fault = null;
      void next();
    },
    close() {
      wanted = [];
      underWay?.control.abort();
    },
  };
}
