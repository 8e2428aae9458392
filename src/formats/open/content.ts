import { stat } from "node:fs/promises";
import { type FormatError, FormatFailure } from "../error.ts";
import { openNetcdf } from "../netcdf/read.ts";
import type { Pace } from "../pace.ts";
import type { ColumnCache } from "./columnCache.ts";
import { describeCost, isCost } from "./cost/index.ts";
import { csvColumns } from "./csv/columns.ts";
import { describeCsv, describeTable } from "./csv/index.ts";
import { describeNetcdf } from "./netcdf/index.ts";
import { otherKind } from "./otherKind.ts";
import { describeSinex } from "./sinex/index.ts";
import { firstLines } from "./table/firstLines.ts";
import { describePlainTable, type TableChoice } from "./table/index.ts";
import { HEAD_LINES } from "./table/lines.ts";
import type { DatabaseTable, SeriesFile } from "./types.ts";

/** An uncompressed file. */
interface Content {
  readonly path: string;
  /** Its first bytes. */
  readonly head: Buffer;
  /** Label of its series if the file names no station. */
  readonly label: string;
}

export interface Reading {
  readonly own: ColumnCache;
  readonly pace: Pace;
  /** Reads an SQLite database exported by this program. */
  readonly database: ((path: string) => DatabaseTable) | undefined;
  /** For text tables. */
  readonly choice: Omit<TableChoice, "label">;
}

const BYTE_ORDER_MARK = "efbbbf";
const NEITHER =
  "This is neither a NetCDF, SINEX_TRO or COST-716 file nor a table of text, nor a Parquet, SQLite or Excel file of Zenith Desk. Such files can be opened; others have to be converted first.";
export const DAMAGED =
  "This file is damaged, or has a structure that cannot be read. Inspect it with “ncdump -h”, or create it again.";

/** Opens a file by the format of its first bytes. @throws FormatFailure, and errors of the file system */
export async function describeContent(
  { path, head: bytes, label }: Content,
  { own, pace, database, choice }: Reading,
): Promise<SeriesFile> {
  const head = bytes.toString("hex", 0, 3) === BYTE_ORDER_MARK ? bytes.subarray(3) : bytes;
  const kind = kindOf(head);
  // Loaded when needed, because loading these packages takes longer than reading most files.
  if (kind === "parquet") {
    const { parquetRecords } = await import("./parquet/records.ts");
    return describeTable({ format: "parquet", records: parquetRecords(path) }, own, pace);
  }
  if (database && head.toString("latin1", 0, 15) === "SQLite format 3")
    return describeTable({ format: "sqlite", ...database(path) }, own, pace);
  if (head.toString("hex", 0, 4) === "504b0304") {
    const { isWorkbook, workbookRecords } = await import("./xlsx/records.ts");
    if (await isWorkbook(path)) return describeTable({ format: "excel", records: workbookRecords(path) }, own, pace);
  }
  if (kind === "cost") return describeCost(path, own, pace);
  if (kind === "sinex") return describeSinex(path, own, pace);
  const other = kind === "netcdf" ? null : otherKind(head, path);
  if (other !== null) throw new FormatFailure(other.kind, other.sentence);
  if (kind === "csv") {
    const first = await firstLines(path, HEAD_LINES);
    if (!choice.chosen && csvColumns((first.lines[0] ?? "").split(",")) !== null) return describeCsv(path, own, pace);
    return describePlainTable(path, first, { label, ...choice }, own, pace);
  }
  if (kind === null) throw new FormatFailure("foreign", NEITHER);
  const file = await openNetcdf(path);
  if (!file.ok) throw new FormatFailure(...ofContent(file.error));
  try {
    return await describeNetcdf(file.value, (await stat(path)).size, own, pace);
  } catch (thrown) {
    file.value.close();
    throw thrown;
  }
}

/** Treats other errors as damage, because the file could be read before. */
function ofContent({ kind, message, cause }: FormatError): ConstructorParameters<typeof FormatFailure> {
  const isSpecific = ["truncated", "unreadable", "tooLarge", "changed"].includes(kind);
  return isSpecific ? [kind, message, cause] : ["unreadable", DAMAGED, cause];
}

function kindOf(head: Buffer): "netcdf" | "csv" | "parquet" | "sinex" | "cost" | null {
  const mark = head.toString("latin1", 0, 4);
  if (mark.startsWith("CDF") || mark === "\x89HDF") return "netcdf";
  if (mark === "PAR1") return "parquet";
  if (mark + head.toString("latin1", 4, 5) === "%=TRO") return "sinex";
  if (isCost(head.toString("latin1", 0, 1_000))) return "cost";
  // Text contains no NUL; the first line determines the kind of table.
  return head.length > 0 && !head.includes(0) ? "csv" : null;
}
