import { unreadable } from "../../error.ts";
import type { ForeignFile } from "../../foreign/file.ts";
import type { Pace } from "../../source.ts";
import { createNotes, type Notes } from "../notes.ts";
import { PLACE, placeTexts } from "../sites.ts";
import { SAMPLE_ROWS } from "../table/lines.ts";
import { formatHeads } from "../table/heads.ts";
import type { TableSource } from "../table/source.ts";
import { textLines } from "../text.ts";
import { timeScaleNamed } from "../time/scale.ts";
import { SinexMetadata } from "./head.ts";

const NO_ROWS =
  "This SINEX_TRO file has no rows that could be shown: its block TROP/SOLUTION is missing or empty. Download it again.";
const OTHER_COLUMNS =
  "No row of this SINEX_TRO file has as many columns as it names in TROP/DESCRIPTION, so that its numbers have no meaning. Ask its makers for one that fits.";
const NO_FIELDS =
  "This SINEX_TRO file does not name the columns of TROP/SOLUTION, so that its numbers have no meaning. Ask its makers for one with TROP/DESCRIPTION.";
const NO_SYSTEM =
  "The file does not tell its time system: epochs are taken as UTC. Were they GPS time, they would be 18 s too late since 2017.";
const NO_UNITS = "The file does not tell its units, or not those of all columns.";

/** “No value”: older files have more nines. */
const NO_VALUE = "-999";

/**
 * Opens a SINEX_TRO file as a table: 2.00 (blocks TROP/DESCRIPTION, SITE/ID, SITE/COORDINATES, TROP/SOLUTION), and 0.01
 * and 1.00 with SOLUTION_FIELDS_n and TROP/STA_COORDINATES. The implementation follows published example files and the
 * readers of other programs, not the format description. Columns are identified by name. Slant delays are not
 * supported.
 * @throws FormatFailure
 */
export async function sinexSource(file: ForeignFile, pace: Pace): Promise<TableSource> {
  const [metadata, notes] = [new SinexMetadata(), createNotes()];
  const sample: string[][] = [];
  const widths = new Map<number, number>();
  for (const rows of rowsIn(file, metadata, notes)) {
    sample.push(...rows.slice(0, SAMPLE_ROWS - sample.length));
    for (const { length } of rows) widths.set(length, 1 + (widths.get(length) ?? 0));
    await pace.step();
  }
  if (sample.length === 0) throw unreadable(NO_ROWS);
  const columns = metadata.fields();
  if (columns.length === 0) throw unreadable(NO_FIELDS);
  const width = columns.length + ROW_START.length;
  const recordsOf = (rows: readonly string[][]): string[][] =>
    rows.flatMap(([code = "", ...row]) => {
      const { stationId, domes, position } = metadata.site(code);
      return row.length + 1 === width ? [[stationId, code, domes ?? "", ...placeTexts(position), ...row]] : [];
    });
  const names = [...SITE, ...ROW_START.slice(1), ...columns];
  const heads = formatHeads("sinex", names, recordsOf(sample));
  if (heads.length === 0) throw unreadable(OTHER_COLUMNS);
  const system = metadata.timeSystem;
  const scale = timeScaleNamed(system ?? "");
  const others = [...widths].reduce((sum, [length, n]) => sum + (length === width ? 0 : n), 0);
  notes.count("Rows with another number of columns than the file names are left out", others);
  if (system === null) notes.add(NO_SYSTEM);
  if (!metadata.hasUnits) notes.add(NO_UNITS);
  const said = {
    comments: system === null ? [] : [`time system: ${scale?.name ?? system}`],
    missing: names.map(() => NO_VALUE),
  };
  return {
    format: "sinex",
    title: metadata.reference("DESCRIPTION"),
    source: metadata.reference("OUTPUT"),
    heads: heads.map((head) => ({ ...head, ...said })),
    *records() {
      for (const rows of rowsIn(file, new SinexMetadata(), createNotes())) yield recordsOf(rows);
    },
    cellOf: (timesMs) => metadata.cell(timesMs, scale),
    remarks: notes.all(),
  };
}

const ROW_START = ["code", "epoch"];
const SITE = ["station_id", "site_name", "domes", ...PLACE];

/** Yields the fields of the rows of a file. @param metadata is told what else it says, also after its rows */
function* rowsIn(file: ForeignFile, metadata: SinexMetadata, notes: Notes): Iterable<string[][]> {
  let block = "";
  let [hasRows, hasEnded] = [false, false];
  for (const lines of textLines(file)) {
    const rows: string[][] = [];
    for (const line of lines) {
      const mark = line[0];
      if (mark === "%") {
        // The second file may have other columns and units.
        if (hasRows && !line.startsWith("%=END")) {
          notes.add("Another file begins within this one: only the first is shown. Split them, and open each.");
          return yield rows;
        }
        hasEnded ||= hasRows;
        block = "";
      } else if (mark === "+") block = line.slice(1).trim().toUpperCase();
      else if (mark === "-") block = "";
      else if (block !== "TROP/SOLUTION") metadata.line(block, line);
      else if (mark === "*") metadata.rowHeads(line);
      else if (line.trim() !== "") hasRows = rows.push(line.trim().split(/\s+/)) > 0;
    }
    yield rows;
  }
  if (!hasEnded) notes.add("The file has no last line %=ENDTRO: its end may be missing.");
}
