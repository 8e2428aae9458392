import type { RowPage } from "#shared/bridge/series.ts";
import { bridge } from "../../bridge/index.ts";
import { showFault, showToast } from "../../stores/toasts.ts";
import { count, many } from "../../ui/text.ts";
import { tsv } from "./cells.ts";
import type { RowQuery } from "./usePages.ts";

const PAGE_ROWS = 10_000;
/** More than a spreadsheet likes to be given at once. */
export const MOST_COPIED = 100_000;

/** Puts rows on the clipboard, tab-separated with a heading. */
export async function copyRows(query: RowQuery, from: number, to: number): Promise<void> {
  const rows = to - from + 1;
  if (rows > MOST_COPIED) {
    showToast(`${count(rows)} rows are too many for the clipboard. Export them as CSV instead.`);
    return;
  }
  const pages: RowPage[] = [];
  for (let offset = from; offset <= to; offset += PAGE_ROWS) {
    const answer = await bridge.series.page({ ...query, offset, limit: Math.min(PAGE_ROWS, to - offset + 1) });
    if (!answer.ok) return showFault(answer.error);
    pages.push(answer.value);
  }
  try {
    await navigator.clipboard.writeText(tsv(pages, query.variables));
    showToast(`${many(rows, "row")} copied.`);
  } catch {
    showToast("The browser did not allow to copy. Export the rows as CSV instead.", null, "fault");
  }
}
