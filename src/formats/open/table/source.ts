import type { OpenedFile } from "#shared/file/opened.ts";
import type { Cell } from "#shared/series/cell.ts";
import type { ForeignFile } from "../../foreign/file.ts";
import type { TextBytes } from "../text.ts";
import { recordHead, type TableHead, tableHeads } from "./heads.ts";
import { type FirstLines, SAMPLE_ROWS } from "./lines.ts";
import { csvRecords } from "./records.ts";

type Batch = readonly (readonly string[])[];
type Batches = AsyncIterable<Batch> | Iterable<Batch>;

/** A value of a cell or column as the text of a field; empty for none. */
export function fieldOf(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
  return ["string", "number", "bigint", "boolean"].includes(typeof value) ? String(value) : "";
}

/** A table in any container, as records of texts. */
export interface TableSource {
  readonly format: OpenedFile["format"];
  readonly title?: string | null;
  readonly source?: string | null;
  /** The possible interpretations of its beginning, the most likely first. */
  readonly heads: readonly TableHead[];
  readonly first?: FirstLines;
  /** Yields all records below the lines that a head interprets; may be called again. */
  records(head: TableHead): Batches;
  readonly remarks?: readonly string[];
  /** The names of the sheets that the records come from. */
  sheets?(): readonly string[];
  /** Sentences about what was assumed while the records were read. */
  assumed?(): readonly string[];
  /** What the rows of a station stand for, by the head of a format that defines all else. @param timesMs UTC */
  cellOf?(timesMs: Float64Array, station: string | null): Cell | null;
}

/** With the label of its series if no column names a station. */
export type LabelledSource = TableSource & { readonly label: string };

export function textSource(file: ForeignFile, first: FirstLines, bytes: TextBytes): TableSource {
  return {
    format: "csv",
    heads: tableHeads(first.lines),
    first,
    records: ({ delimiter, names }) => csvRecords(file, delimiter ?? ",", names.length, bytes),
    assumed: () => bytes.remarks(),
  };
}

/** A table that is not a text. @param open yields its records from the column names on */
export async function recordSource(
  about: Pick<TableSource, "format" | "title" | "remarks">,
  open: () => Batches,
): Promise<TableSource> {
  const sample: (readonly string[])[] = [];
  for await (const batch of open()) {
    sample.push(...batch.slice(0, SAMPLE_ROWS + 1));
    if (sample.length > SAMPLE_ROWS) break;
  }
  const [names = [], ...rows] = sample;
  const head = recordHead(names.join(","), names, rows);
  return { ...about, heads: head ? [{ ...head, skipped: head.skipped + 1 }] : [], records: open };
}
