import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { anyValue, exactValue } from "#shared/plot/values.ts";
import { floorToInterval } from "#shared/time/range.ts";
import { utc } from "../../ui/text.ts";
import type { RowLocation } from "./pages.ts";
import type { TableColumn, TablePage } from "./source.ts";

interface Cell {
  readonly text: string;
  /** Whether there is no value; the text is then the cause, if known. */
  readonly isAbsent: boolean;
  /** The whole text. */
  readonly hint: string;
}

const EMPTY: Cell = { text: "", isAbsent: true, hint: "" };

function present(text: string): Cell {
  return { text, isAbsent: false, hint: text };
}

/** Returns the content of a cell: the value, or the cause of its absence, or nothing where no value is expected. */
export function cellOf({ page, index, timeMs }: RowLocation, column: TableColumn, gaps: readonly SeriesGaps[]): Cell {
  const value = page.columns[column.id]?.[index];
  if (typeof value === "string") return present(value);
  if (typeof value === "number" && !Number.isNaN(value))
    return present(column.series ? exactValue(value) : anyValue(value, 1));
  const { stationId, variable } = column.series ?? {};
  const known = gaps.find((g) => g.stationId === stationId && g.variable === variable);
  const endMs = gapEndMs(page, index) ?? timeMs + 1;
  if (!known || !isExpected(timeMs, endMs, known.stepSeconds, gaps)) return EMPTY;
  const gap = known.gaps.find(({ range }) => range.startMs < endMs && timeMs < range.endMs);
  if (!gap) return EMPTY;
  const { word, short = word } = gapMark(gap.cause);
  return { text: short, isAbsent: true, hint: word };
}

/**
 * Whether a value of this cadence is expected in a row: rows follow each other at the shortest step of all columns, and
 * the first one of each step has the value.
 */
function isExpected(startMs: number, endMs: number, stepSeconds: number, gaps: readonly SeriesGaps[]): boolean {
  const rowMs = 1_000 * gaps.reduce((least, gap) => Math.min(least, gap.stepSeconds), stepSeconds);
  return floorToInterval(endMs - 1, stepSeconds) > startMs - rowMs;
}

/**
 * Formats rows as tab-separated text for spreadsheets: full precision, empty cells without a value, and times as
 * "2026-11-14 08:12:30", which spreadsheets read as times in every language, unlike those with T and Z.
 */
export function tsv(pages: readonly TablePage[], columns: readonly Pick<TableColumn, "id" | "copiedAs">[]): string {
  const lines = [["time (UTC)", ...columns.map((column) => column.copiedAs)].join("\t")];
  for (const page of pages) {
    page.timesMs.forEach((timeMs, at) => {
      if (gapEndMs(page, at) !== null) return;
      lines.push([utc(timeMs), ...columns.map(({ id }) => rawText(page, at, id))].join("\t"));
    });
  }
  return `${lines.join("\n")}\n`;
}

/** Returns the end of the gap that a row stands for; null for a row with values. */
export function gapEndMs({ gapEndsMs }: Pick<TablePage, "gapEndsMs">, at: number): number | null {
  const endMs = gapEndsMs?.[at] ?? Number.NaN;
  return Number.isNaN(endMs) ? null : endMs;
}

/** Number of rows of a page that are not gaps. */
export function countRows(page: Pick<TablePage, "timesMs" | "gapEndsMs">): number {
  return page.timesMs.filter((_, at) => gapEndMs(page, at) === null).length;
}

function rawText(page: TablePage, at: number, columnId: string): string {
  const value = page.columns[columnId]?.[at] ?? "";
  if (typeof value === "number") return Number.isNaN(value) ? "" : String(value);
  return oneCell(value);
}

/** Escapes a text that a spreadsheet would read as a formula or as several cells. */
export function oneCell(text: string): string {
  const flat = text.replaceAll(/[\t\r\n]/g, " ");
  return /^[=+\-@]/.test(flat) ? `'${flat}` : flat;
}
