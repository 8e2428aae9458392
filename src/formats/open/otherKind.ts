import { extname } from "node:path";

const OURS =
  "NetCDF, SINEX_TRO and COST-716 files, tables of text, and Parquet, SQLite and Excel files of Zenith Desk can be opened; others have to be converted first.";

const UTF16 =
  "This text is encoded as UTF-16. Save it as UTF-8 (in Excel: “CSV UTF-8 (Comma delimited)”), and open that file.";

const MARKS: readonly (readonly [mark: RegExp, sentence: string])[] = [
  [
    /^%=(SNX|BIA)/,
    "This is a SINEX file of station coordinates or biases, without troposphere: open one of SINEX_TRO instead.",
  ],
  [/^SQLite format 3/, `This is an SQLite database that Zenith Desk did not export. ${OURS}`],
  [
    /^\s*<(?:!doctype|html|\?xml)/i,
    "This is a web page or XML, and no data: perhaps a download gave a page of errors or a login instead. Download the file again.",
  ],
  [/^[ \t\r\n]*[{[]/, `This is JSON. ${OURS}`],
];
/** Signatures in hex. */
const SIGNATURES: readonly (readonly [mark: string, what: string])[] = [
  ["89504e47", "a picture (PNG)"],
  ["ffd8ff", "a picture (JPEG)"],
  ["47494638", "a picture (GIF)"],
  ["49492a00", "a picture (TIFF)"],
  ["4d4d002a", "a picture (TIFF)"],
  ["52494646", "a picture, sound or film (RIFF)"],
  ["25504446", "a PDF document"],
  ["47524942", "a GRIB file of weather models, which CDO or cfgrib turn into NetCDF"],
  ["42554652", "a BUFR file of weather messages"],
  ["d0cf11e0", "an old document of Microsoft Office"],
  ["7f454c46", "a program"],
  ["4d5a", "a program"],
];
/** Unsupported compression: gzip, compress and zip were unpacked before. */
const COMPRESSED: readonly (readonly [mark: string, what: string])[] = [
  ["425a68", "compressed with bzip2: unpack it with “bunzip2”"],
  ["fd377a58", "compressed with xz: unpack it with “unxz”"],
  ["28b52ffd", "compressed with Zstandard: unpack it with “unzstd”"],
  ["377abcaf", "a 7z archive: unpack it with “7z x”"],
  ["1f8b", "compressed twice: unpack it"],
  ["1f9d", "compressed twice: unpack it"],
  ["504b0304", "compressed twice: unpack it"],
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
export function otherKind(head: Buffer, path: string): OtherKind | null {
  if (head.length === 0)
    return unreadable("This file is empty: nothing was written into it, or its download broke off.");
  const hex = head.toString("hex", 0, 8);
  if (hex.startsWith("fffe") || hex.startsWith("feff")) return unreadable(UTF16);
  const kind = SIGNATURES.find(([mark]) => hex.startsWith(mark));
  if (kind) return foreign(`This is ${kind[1]}. ${OURS}`);
  if (hex.startsWith("504b0304") && head.includes("[Content_Types].xml"))
    return foreign(`This is a document of Office, and no workbook of Excel. ${OURS}`);
  const compressed = COMPRESSED.find(([mark]) => hex.startsWith(mark));
  if (compressed) return unreadable(`This file is ${compressed[1]}, and open its content.`);
  if (head.toString("latin1", TAR_AT, TAR_AT + TAR.length) === TAR)
    return unreadable("This file is a tar archive: unpack it with “tar -xf”, and open the folder.");
  const text = head.toString("latin1");
  const found = MARKS.find(([mark]) => mark.test(text));
  if (found) return foreign(found[1]);
  return NETCDF_NAMES.has(extname(path).toLowerCase())
    ? unreadable(
        "This file is called NetCDF and does not begin like one: it is damaged, or something else. Make or download it again.",
      )
    : null;
}

function unreadable(sentence: string): OtherKind {
  return { kind: "unreadable", sentence };
}

function foreign(sentence: string): OtherKind {
  return { kind: "foreign", sentence };
}
