import type { ExportFormat } from "#shared/file/export.ts";

/** What each format is, and what it is for. */
export const EXPORT_WORDS: Readonly<
  Record<ExportFormat, { readonly name: string; readonly use: string; readonly extensions: readonly string[] }>
> = {
  netcdf: {
    name: "NetCDF-4",
    use: "CF-1.8, compressed, with units and every gap explained: for xarray, MATLAB, Panoply, CDO.",
    extensions: ["nc"],
  },
  csv: {
    name: "CSV",
    use: "UTF-8 text, a row for each station and time: for pandas, R, and everything else.",
    extensions: ["csv"],
  },
  excel: {
    name: "CSV for spreadsheets",
    use: "As Excel and LibreOffice read it, in parts of at most 1,048,576 rows.",
    extensions: ["csv"],
  },
};
