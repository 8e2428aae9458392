import { extname } from "node:path";

const MARKS: readonly (readonly [mark: RegExp, sentence: string])[] = [
  [
    /^%=TRO/,
    "This is a SINEX_TRO file. Zenith Desk writes such files and does not open them: export the same data as NetCDF or CSV to look at it here.",
  ],
  [
    /^PAR1/,
    "This is a Parquet file. Zenith Desk writes such files and does not open them: export the same data as NetCDF or CSV to look at it here.",
  ],
  [
    /^SQLite format 3/,
    "This is an SQLite database. Only a shared .zenith file can be opened, from the menu of saved views.",
  ],
  [
    /^\s*<(?:!doctype|html|\?xml)/i,
    "This is a web page or XML, and no data: perhaps a download gave a page of errors or a login instead. Download the file again.",
  ],
  [
    /^[ \t\r\n]*[{[]/,
    "This is JSON. NetCDF files and CSV files of Zenith Desk can be opened; others have to be converted first.",
  ],
];
/** gzip, zip, bzip2, xz. */
const COMPRESSED = ["1f8b", "504b0304", "425a68", "fd377a58"];
const NETCDF_NAMES = new Set([".nc", ".nc4", ".nc3", ".cdf", ".netcdf", ".h5", ".hdf5"]);

/** What a file is that neither begins like NetCDF nor is one of ours, in a sentence; null where nothing tells. */
export function otherKind(head: Buffer, path: string): string | null {
  if (head.length === 0) return "This file is empty: nothing was written into it, or its download broke off.";
  if (COMPRESSED.some((mark) => head.toString("hex", 0, 8).startsWith(mark)))
    return "This file is compressed: unpack it, and open what is in it.";
  const text = head.toString("latin1");
  const found = MARKS.find(([mark]) => mark.test(text));
  if (found) return found[1];
  return NETCDF_NAMES.has(extname(path).toLowerCase())
    ? "This file is called NetCDF and does not begin like one: it is damaged, or something else. Make or download it again."
    : null;
}
