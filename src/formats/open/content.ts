import { extname } from "node:path";
import { type FormatError, FormatFailure } from "../error.ts";
import { bytesIn, type ForeignFile } from "../foreign/file.ts";
import { openNetcdf } from "../netcdf/read.ts";
import { describeCost, isCost } from "./cost/index.ts";
import { TextBytes } from "./text.ts";
import { describeNetcdf } from "./netcdf/index.ts";
import { describeSinex } from "./sinex/index.ts";
import { firstLines, HEAD_LINES } from "./table/lines.ts";
import { recipeSource } from "./table/recipeSource.ts";
import { recordSource, type TableSource, textSource } from "./table/source.ts";
import { describeTable } from "./table/index.ts";
import type { Reading, SeriesFile } from "./types.ts";

const OURS =
  "NetCDF, SINEX_TRO and COST-716 files, tables of text, and Parquet, SQLite and Excel files of Zenith Desk can be opened; others have to be converted first.";

/** Other files by their text. */
const TEXTS: readonly (readonly [mark: RegExp, sentence: string])[] = [
  [
    /^.{20}[ONGHCES].{39}RINEX VERSION \/ TYPE/,
    "This is a RINEX file of observations or orbits. Process it with a program such as RTKLIB or PRIDE PPP-AR, and open its zenith delays.",
  ],
  [
    /^#[A-Z]{3}[A-Z0-9]{8} \d{4} \d\d \d\d \d\d /,
    "This is a text of IGRA soundings. Download the integrated water vapour of IGRA as CSV from the Copernicus Climate Data Store, and open that.",
  ],
  [
    /^"?(TOB[123]|TOACI1|CSIXML)"?,/,
    "This is a binary file of a Campbell Scientific logger. Convert it to TOA5 with CardConvert of LoggerNet, or with “camp2ascii”, and open that.",
  ],
  [
    /^\s*-?\d+(\.\d+)?(\s+\S+){3}\s+(\.Station\.|(TRP|WETZ)\w)|^[#%].*\bJ2000\b/m,
    "These are parameters of GIPSY or GipsyX (tdp), or others, at seconds since 2000-01-01 12:00 GPS time. Convert them to SINEX_TRO or CSV, and open that.",
  ],
  [
    /^.*\r?\n-{60,}\r?\n[^]*STATION NAME\s+FLG\s+YYYY MM DD/,
    "This is a troposphere file of the Bernese GNSS Software (TRP). Let GPSEST or ADDNEQ2 write SINEX_TRO (TRO) beside it, and open that.",
  ],
  [
    /^%=(SNX|BIA)/,
    "This is a SINEX file of station coordinates or biases, without troposphere: open one of SINEX_TRO instead.",
  ],
  [
    /^\s*<(?:!doctype|html|\?xml)/i,
    "This is a web page or XML, and no data: perhaps a download gave a page of errors or a login instead. Download the file again.",
  ],
  [/^[ \t\r\n]*[{[]/, `This is JSON. ${OURS}`],
];
/** The same by their first bytes. */
const SIGNATURES: readonly (readonly [mark: string, what: string])[] = [
  ["25504446", "a PDF document"],
  ["47524942", "a GRIB file of weather models, which CDO (“cdo -f nc copy”) turns into NetCDF"],
  ["42554652", "a BUFR file of weather messages"],
  ["d0cf11e0", "an old document of Microsoft Office"],
];
const UTF16 =
  "This text is encoded as UTF-16. Save it as UTF-8 (in Excel: “CSV UTF-8 (Comma delimited)”), and open that file.";
/** What may hide a file of series. gzip and zip were unpacked before. */
const HIDING: readonly (readonly [mark: string, sentence: string])[] = [
  ["fffe", UTF16],
  ["feff", UTF16],
  ...[
    ["1f9d", "compressed with “compress”: unpack it with “gzip -d”"],
    ["425a68", "compressed with bzip2: unpack it with “bunzip2”"],
    ["fd377a58", "compressed with xz: unpack it with “unxz”"],
    ["28b52ffd", "compressed with Zstandard: unpack it with “unzstd”"],
    ["377abcaf", "a 7z archive: unpack it with “7z x”"],
    ["1f8b", "compressed twice: unpack it"],
    ["504b0304", "compressed twice: unpack it"],
  ].map(([mark = "", what]) => [mark, `This file is ${what}, and open its content.`] as const),
];
/** Magic number of a POSIX tar archive. */
const [TAR_AT, TAR] = [257, "ustar"];
const NETCDF_NAMES = new Set([".nc", ".nc4", ".nc3", ".cdf", ".netcdf", ".h5", ".hdf5"]);

/** Why a file cannot be opened: a file of series may be behind it (`unreadable`), or it is something else (`foreign`). */
interface OtherKind {
  readonly kind: "unreadable" | "foreign";
  readonly sentence: string;
}

/** Describes an unsupported file, by its first bytes and its name; null if unknown. */
export function otherKind(head: Buffer, name: string): OtherKind | null {
  const [hex, text] = [head.toString("hex", 0, 8), head.toString("latin1")];
  if (head.length === 0)
    return unreadable("This file is empty: nothing was written into it, or its download broke off.");
  const kind = SIGNATURES.find(([mark]) => hex.startsWith(mark));
  if (kind) return foreign(`This is ${kind[1]}. ${OURS}`);
  if (hex.startsWith("504b0304") && text.includes("application/vnd.oasis.opendocument"))
    return foreign("This is a document of LibreOffice. Save its sheet as CSV or as Excel (.xlsx), and open that.");
  if (hex.startsWith("504b0304") && text.includes("[Content_Types].xml"))
    return foreign(`This is a document of Office, and no workbook of Excel. ${OURS}`);
  const hiding = HIDING.find(([mark]) => hex.startsWith(mark));
  if (hiding) return unreadable(hiding[1]);
  if (text.startsWith(TAR, TAR_AT))
    return unreadable("This file is a tar archive: unpack it with “tar -xf”, and open the folder.");
  const found = TEXTS.find(([mark]) => mark.test(text));
  if (found) return foreign(found[1]);
  return NETCDF_NAMES.has(extname(name).toLowerCase())
    ? unreadable(
        "This file is called NetCDF and does not begin like one: it is damaged, or something else. Make or download it again.",
      )
    : null;
}

function foreign(sentence: string): OtherKind {
  return { kind: "foreign", sentence };
}

function unreadable(sentence: string): OtherKind {
  return { kind: "unreadable", sentence };
}

interface Content {
  readonly file: ForeignFile;
  readonly name: string;
  readonly head: Buffer;
  /** Label of its series if the file names no station. */
  readonly label: string;
}

const BYTE_ORDER_MARK = "efbbbf";
export const DAMAGED =
  "This file is damaged, or has a structure that cannot be read. Inspect it with “ncdump -h”, or create it again.";

/** Opens a file by the format of its first bytes. @throws FormatFailure, and errors of the file system */
export async function describeContent(
  { file, name, head: bytes, label }: Content,
  reading: Reading,
): Promise<SeriesFile> {
  const head = bytes.toString("hex", 0, 3) === BYTE_ORDER_MARK ? bytes.subarray(3) : bytes;
  const kind = kindOf(head);
  const asTable = (source: TableSource): Promise<SeriesFile> => describeTable(source, label, reading);
  // Loaded when needed, because loading these packages takes longer than reading most files.
  if (kind === "parquet") {
    const { parquetRecords } = await import("./parquet/records.ts");
    return asTable(await recordSource({ format: "parquet" }, () => parquetRecords(file)));
  }
  if (kind === "sqlite") {
    const { databaseTable } = await import("./sqlite/records.ts");
    const { remarks, records } = await databaseTable(file);
    return asTable(await recordSource({ format: "sqlite", remarks }, records));
  }
  if (head.toString("hex", 0, 4) === "504b0304") {
    const { isWorkbook, workbookRecords } = await import("./xlsx/records.ts");
    if (await isWorkbook(file)) return asTable(await recordSource({ format: "excel" }, () => workbookRecords(file)));
  }
  if (kind === "cost") return noted(file, await describeCost(file, reading));
  if (kind === "sinex") return noted(file, await describeSinex(file, reading));
  const other = kind === "netcdf" ? null : otherKind(head, name);
  if (other !== null) throw new FormatFailure(other.kind, other.sentence);
  if (kind === "csv") {
    const first = firstLines(file, HEAD_LINES, new TextBytes());
    return noted(file, await asTable(recipeSource(file, first) ?? textSource(file, first)));
  }
  if (kind === null) throw new FormatFailure("foreign", `This file is of no known format. ${OURS}`);
  const opened = await openNetcdf(file);
  if (!opened.ok) throw new FormatFailure(...ofContent(opened.error));
  try {
    const described = await describeNetcdf(opened.value, file.bytes, reading);
    if (!("heads" in described)) return described;
    const table = await asTable(described);
    // The rows of a table are kept elsewhere.
    opened.value.close();
    return table;
  } catch (thrown) {
    opened.value.close();
    throw thrown;
  }
}

const CUT = "The last line has no line end: it may be cut off, with its last number shorter than it was.";

/** Adds a note if a text ends within a line, as after a download that broke off. */
function noted(file: ForeignFile, opened: SeriesFile): SeriesFile {
  const last = bytesIn(file, file.bytes - 1, 1)[0];
  return last === 0x0a || last === 0x0d ? opened : { ...opened, notes: [...opened.notes, CUT] };
}

/** Treats other errors as damage, because the file could be read before. */
function ofContent({ kind, message, cause }: FormatError): ConstructorParameters<typeof FormatFailure> {
  const isSpecific = ["truncated", "unreadable", "tooLarge", "changed"].includes(kind);
  return isSpecific ? [kind, message, cause] : ["unreadable", DAMAGED, cause];
}

function kindOf(head: Buffer): "netcdf" | "csv" | "parquet" | "sqlite" | "sinex" | "cost" | null {
  const mark = head.toString("latin1", 0, 4);
  if (mark.startsWith("CDF") || mark === "\x89HDF") return "netcdf";
  if (mark === "PAR1") return "parquet";
  if (mark === "SQLi") return "sqlite";
  if (mark + head.toString("latin1", 4, 5) === "%=TRO") return "sinex";
  if (isCost(head.toString("latin1", 0, 1_000))) return "cost";
  // Text contains no NUL; the first line determines the kind of table.
  return head.length > 0 && !head.includes(0) ? "csv" : null;
}
