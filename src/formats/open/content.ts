import { DAMAGED, type FormatError, FormatFailure, unreadable } from "../error.ts";
import { bytesIn, type ForeignFile } from "../foreign/file.ts";
import { openNetcdf } from "../netcdf/read.ts";
import { costSource, isCost } from "./cost.ts";
import { TextBytes } from "./text.ts";
import { describeNetcdf } from "./netcdf/index.ts";
import { sinexSource } from "./sinex/index.ts";
import { firstLines, HEAD_LINES } from "./table/lines.ts";
import { recipeSource } from "./table/recipes.ts";
import { type TableSource, textSource } from "./table/source.ts";
import { describeTable } from "./table/index.ts";
import type { Reading, SeriesFile } from "./types.ts";

const OURS =
  "NetCDF, SINEX_TRO and COST-716 files, tables of text, and Parquet, SQLite and Excel files can be opened; others have to be converted first.";

/** What files of other kinds begin with, as Latin-1, by a sentence on each; `[^ -\xff]` is a control character. */
type Marks = Readonly<Record<string, RegExp>>;

const FOREIGN: Marks = {
  [`This is a PDF document. ${OURS}`]: /^%PDF/,
  [`This is a GRIB file of weather models, which CDO (“cdo -f nc copy”) turns into NetCDF. ${OURS}`]: /^GRIB/,
  "This is a file of Apache Arrow (Feather). Write it as Parquet, and open that.": /^(ARROW1|\xff{4}..\0\0)/s,
  "This is a file of MATLAB. Write it as CSV with “writetable”, and open that.": /^MATLAB 5\.0 MAT-file/,
  "This is NCCSV of ERDDAP. Download the same data as “.csvp” or “.nc”, and open that.": /^\*GLOBAL\*,/,
  "This is BADC-CSV of CEDA, whose columns may have numbers for names. Write one line of names with units above its rows, and open that.":
    /^"?conventions"?,"?G"?,"?BADC-CSV/i,
  [`This is a BUFR file of weather messages. ${OURS}`]: /^BUFR/,
  [`This is an old document of Microsoft Office. ${OURS}`]: /^\xd0\xcf.\xe0/s,
  "This is a document of LibreOffice. Save its sheet as CSV or as Excel (.xlsx), and open that.": /^PK[^]{28}mimetype/,
  [`This is an Office document, not an Excel workbook. ${OURS}`]: /^PK[^]*\[Content_Types\]\.xml/,
  "This is a RINEX file of observations or orbits. Process it with a program such as RTKLIB or PRIDE PPP-AR, and open its zenith delays.":
    /^.{20}[ONGHCES].{39}RINEX VERSION \/ TYPE/,
  "This is a text of IGRA soundings. Download the integrated water vapour of IGRA as CSV from the Copernicus Climate Data Store, and open that.":
    /^#[A-Z]{3}[A-Z0-9]{8} \d{4} \d\d \d\d \d\d /,
  "This is a binary file of a Campbell Scientific logger. Convert it to TOA5 with CardConvert of LoggerNet, or with “camp2ascii”, and open that.":
    /^"?(TOB[123]|CSIXML)"?,/,
  "These are parameters of GIPSY or GipsyX (tdp), or others, at seconds since 2000-01-01 12:00 GPS time. Convert them to SINEX_TRO or CSV, and open that.":
    /^\s*-?\d+(\.\d+)?(\s+\S+){3,5}\s+(\.?Station\.|(TRP|WETZ)\w)|^[#%].*\bJ2000\b/m,
  "This is a troposphere file of the Bernese GNSS Software (TRP). Let GPSEST or ADDNEQ2 write SINEX_TRO (TRO) beside it, and open that.":
    /^.*\r?\n-{60,}\r?\n[^]*STATION NAME\s+FLG\s+YYYY MM DD/,
  "This is a SINEX file of station coordinates or biases, without troposphere: open one of SINEX_TRO instead.":
    /^%=(SNX|BIA)/,
  "This is a web page or XML, not data. The download may have returned an error or sign-in page: download the file again.":
    /^\s*<(?:!doctype|\?xml|[a-z]+[\s>])/i,
  [`This is JSON. ${OURS}`]: /^\s*[{[]\s*([[\]{}"\d-]|$)/,
  "This is a NetCDF file as text (CDL). Convert it with “ncgen -o file.nc”, and open that.": /^netcdf [^\s{]+ \{/,
  "These are metrics of Prometheus, or lines of InfluxDB, whose names are in each line. Export the same as CSV, and open that.":
    /^# (HELP|TYPE) \w|^[a-z]\w*(,\w+=\S+)+ \w+=\S+ \d{10,19}$/im,
};

/** The same of files that may hide one of series. gzip and zip were unpacked before. */
const HIDING: Marks = {
  "This file is empty: nothing was written into it, or its download broke off.": /^$/,
  "This text is encoded as UTF-16. Save it as UTF-8 (in Excel: “CSV UTF-8 (Comma delimited)”), and open that file.":
    /^(\xff\xfe|\xfe\xff|([\t\r\n -~]\0){8}|(\0[\t\r\n -~]){8})/,
  // In UTF-8 `…` is three bytes, and so are the lines between columns.
  "This text is an excerpt: one of its lines stands for rows that it leaves out. Write all rows as CSV, and open that.":
    /^[\s|\x80-\xff]*\d*\s*(\.\.\.?|\xe2\x80\xa6)([\s|\x80-\xff]+(\.\.\.?|\xe2\x80\xa6))+[\s|\x80-\xff]*$/m,
  [unpacked("compressed with “compress”: unpack it with “gzip -d”")]: /^[^ -\xff]\x9d/,
  [unpacked("compressed with bzip2: unpack it with “bunzip2”")]: /^BZh/,
  [unpacked("compressed with xz: unpack it with “unxz”")]: /^\xfd7zX/,
  [unpacked("compressed with Zstandard: unpack it with “unzstd”")]: /^\x28\xb5\x2f\xfd/,
  [unpacked("a 7z archive: unpack it with “7z x”")]: /^7z\xbc\xaf/,
  [unpacked("compressed twice: unpack it")]: /^([^ -\xff]\x8b|PK[^ -\xff])/,
  "This file is a tar archive: unpack it with “tar -xf”, and open the folder.": /^[^]{257}ustar/,
};

function unpacked(how: string): string {
  return `This file is ${how}, and open its content.`;
}

/** Describes an unsupported file, by its first bytes; null if unknown. */
export function otherKind(head: Buffer): Pick<FormatError, "kind" | "message"> | null {
  const text = head.toString("latin1");
  const find = (marks: Marks): string | undefined => Object.keys(marks).find((sentence) => marks[sentence]?.test(text));
  const foreign = find(FOREIGN);
  const message = foreign ?? find(HIDING);
  // A file of series may follow one that is unreadable.
  return message === undefined ? null : { kind: foreign === undefined ? "unreadable" : "foreign", message };
}

const BYTE_ORDER_MARK = "efbbbf";

/**
 * Opens a file by the format of its first bytes.
 * @param label of its series if the file names no station
 * @throws FormatFailure, and errors of the file system
 */
export async function describeContent(file: ForeignFile, bytes: Buffer, label: string, reading: Reading) {
  const head = bytes.toString("hex", 0, 3) === BYTE_ORDER_MARK ? bytes.subarray(3) : bytes;
  const mark = head.toString("latin1", 0, 5);
  const asTable = (source: TableSource): Promise<SeriesFile> => describeTable({ ...source, label }, reading);
  // Loaded when needed, because loading these packages takes longer than reading most files.
  if (mark.startsWith("PAR1")) return asTable(await (await import("./parquet/records.ts")).parquetSource(file));
  if (mark.startsWith("SQLi")) return asTable(await (await import("./sqlite/records.ts")).databaseSource(file));
  if (mark.startsWith("PK\x03\x04")) {
    const workbook = await (await import("./xlsx/records.ts")).workbookSource(file);
    if (workbook) return asTable(workbook);
  }
  if (mark === "%=TRO") return noted(file, await asTable(await sinexSource(file, reading.pace)));
  if (isCost(head.toString("latin1", 0, 1_000)))
    return noted(file, await asTable(await costSource(file, reading.pace)));
  const isNetcdf = mark.startsWith("CDF") || mark.startsWith("\x89HDF");
  const other = isNetcdf ? null : otherKind(head);
  if (other !== null) throw new FormatFailure(other.kind, other.message);
  if (!isNetcdf) {
    // Text contains no NUL; the first line determines the kind of table.
    if (head.includes(0)) throw new FormatFailure("foreign", `This file is of no known format. ${OURS}`);
    const bytes = new TextBytes();
    const first = firstLines(file, HEAD_LINES, bytes);
    return noted(file, await asTable(recipeSource(file, first) ?? textSource(file, first, bytes)));
  }
  const opened = await openNetcdf(file);
  if (!opened.ok) {
    const { kind, message, cause } = opened.error;
    // Other errors are damage, because the file could be read before.
    const isSpecific = ["truncated", "unreadable", "tooLarge", "changed"].includes(kind);
    throw isSpecific ? new FormatFailure(kind, message, cause) : unreadable(DAMAGED, cause);
  }
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
