import { showFault, showToast } from "../../stores/toasts.ts";
import { count, many } from "../../ui/text.ts";
import { tsv } from "./cells.ts";
import type { RowSource, TablePage } from "./source.ts";

const PAGE_ROWS = 10_000;
/** More than a spreadsheet likes to be given at once. */
export const MOST_COPIED = 100_000;

/** Puts rows on the clipboard, tab-separated with a heading. */
export async function copyRows(source: RowSource, from: number, to: number, of: string): Promise<void> {
  const rows = to - from + 1;
  if (rows > MOST_COPIED) {
    showToast(`${count(rows)} rows are too many for the clipboard. Export them as CSV instead.`);
    return;
  }
  const pages: TablePage[] = [];
  for (let offset = from; offset <= to; offset += PAGE_ROWS) {
    const answer = await source.page(source.range, offset, Math.min(PAGE_ROWS, to - offset + 1), null);
    if (!answer.ok) return showFault(answer.error);
    pages.push(answer.value);
  }
  try {
    await navigator.clipboard.writeText(tsv(pages, source.columns));
    showToast(`${many(rows, "row")}${of && ` ${of}`} copied.`);
  } catch {
    showToast("The browser does not allow copying. Export the rows as CSV instead.", null, "fault");
  }
}
