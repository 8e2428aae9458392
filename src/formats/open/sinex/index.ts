import { unreadable } from "../../error.ts";
import type { ForeignFile } from "../../foreign/file.ts";
import type { Pace } from "../../source.ts";
import { collectRows, type RowCollector } from "../collector/index.ts";
import { textLines } from "../text.ts";
import type { Notes } from "../notes.ts";
import type { ColumnFacts, ColumnMeaning } from "../meaning/columns.ts";
import { NamedFile } from "../meaning/named.ts";
import { isNoValueWord } from "../meaning/noValue.ts";
import type { Reading, SeriesFile } from "../types.ts";
import { withUnitOfZtd } from "./fields.ts";
import { SinexMetadata } from "./head.ts";
import { epochMs } from "../time/moment.ts";
import { scaleNamed, timeScaleNamed, UTC } from "../time/scale.ts";

const NO_ROWS =
  "This SINEX_TRO file has no rows that could be shown: its block TROP/SOLUTION is missing or empty. Download it again.";
const OTHER_COLUMNS =
  "No row of this SINEX_TRO file has as many columns as it names in TROP/DESCRIPTION, so that its numbers have no meaning. Ask its makers for one that fits.";
const NO_FIELDS =
  "This SINEX_TRO file does not name the columns of TROP/SOLUTION, so that its numbers have no meaning. Ask its makers for one with TROP/DESCRIPTION.";

/**
 * Opens a SINEX_TRO file: 2.00 (blocks TROP/DESCRIPTION, SITE/ID, SITE/COORDINATES, TROP/SOLUTION), and 0.01 and 1.00 with
 * SOLUTION_FIELDS_n and TROP/STA_COORDINATES. The implementation follows published example files and the readers of other
 * programs, not the format description. Columns are identified by name. Slant delays are not supported.
 *
 * @throws FormatFailure
 */
export async function describeSinex(file: ForeignFile, reading: Reading): Promise<SeriesFile> {
  return collectRows(async (collector, notes) => {
    const metadata = await metadataOf(file, reading.pace);
    const own = ["epoch", ...metadata.fields().map(({ raw }) => raw.name)];
    const named = await NamedFile.of("sinex", metadata.names(), own, reading.choice);
    const rows = rowReader({ collector, notes, metadata, named });
    for (const lines of textLines(file)) {
      for (const line of lines) rows.line(line);
      await collector.afterBatch(reading.pace);
    }
    const scaleOffsetMs = rows.finish();
    const shownOf = (meanings: readonly (ColumnMeaning | null)[]) => {
      const ztd = meanings.find((each) => each?.quantity.variable === "ztd");
      if (ztd?.words && metadata.units !== "stated")
        notes.add(
          `${metadata.units === "none" ? NO_UNITS : OTHER_UNITS}: ${ztd.words}. Other delays and gradients are taken as the same.`,
        );
      return withUnitOfZtd(meanings);
    };
    const groupOf = (code: string, timesMs: Float64Array) => ({
      label: code,
      satellite: null,
      ...metadata.site(code),
      cell: metadata.cell(timesMs, scaleOffsetMs),
    });
    const [title, source] = [metadata.reference("DESCRIPTION"), metadata.reference("OUTPUT")];
    return collector.finishNamed({ format: "sinex", title, source }, shownOf, groupOf, { ...reading, notes, named });
  });
}

/** Reads what a file says about its rows, which may come after them. */
async function metadataOf(file: ForeignFile, pace: Pace): Promise<SinexMetadata> {
  const metadata = new SinexMetadata();
  let block = "";
  let [isDescribed, isAfterRows] = [false, false];
  for (const lines of textLines(file)) {
    for (const line of lines) {
      // A concatenated second file does not describe these rows.
      if (isAfterRows && line.startsWith("%")) return metadata;
      const isRow = block === "TROP/SOLUTION" && !/^[-+*%]/.test(line);
      if (isRow && isDescribed) return metadata;
      if (line.startsWith("+")) block = line.slice(1).trim().toUpperCase();
      else if (/^[-%]/.test(line)) block = "";
      else if (isRow) isAfterRows = true;
      else if (block === "TROP/SOLUTION") metadata.rowHeads(line);
      else metadata.line(block, line);
      isDescribed ||= block === "TROP/DESCRIPTION";
    }
    await pace.step();
  }
  return metadata;
}

const NO_UNITS = "The file does not tell its units";
const OTHER_UNITS = "The units in the file do not fit its columns";
/** “No value”: -999 in 2.00; older files have more nines. */
const NO_VALUE = /^-9{3,}(\.[09]*)?$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

interface Target {
  readonly collector: RowCollector;
  readonly notes: Notes;
  readonly metadata: SinexMetadata;
  readonly named: NamedFile;
}

/** Reads a file line by line. `finish` returns the epochs of the file minus UTC, in milliseconds, at its last row. */
function rowReader({ collector, notes, metadata, named: file }: Target) {
  let block = "";
  let fields: ColumnFacts[] | null = null;
  let scale = UTC;
  let scaleOffsetMs = 0;
  let hasEnded = false;
  /** A second file was concatenated to this one. */
  let isAfterEnd = false;
  const counts = { untimed: 0, unread: 0, other: 0 };

  function border(line: string): void {
    hasEnded = line.startsWith("%=END");
    block = "";
    if (hasEnded || fields === null) return;
    // The second file may have other columns and units.
    isAfterEnd = hasEnded = true;
    notes.add("Another file begins within this one: only the first is shown. Split them, and open each.");
  }

  function row([code = "", epoch = "", ...texts]: readonly string[]): void {
    fields ??= begin();
    const ownMs = epochMs(epoch);
    const ms = scale.toUtc(ownMs);
    if (Number.isNaN(ms)) return void counts.untimed++;
    scaleOffsetMs = ownMs - ms;
    if (texts.length !== fields.length) return void counts.other++;
    collector.add(code, ms, texts.map(valueOf));
  }

  function valueOf(text: string): number {
    if (NO_VALUE.test(text) || isNoValueWord(text)) return Number.NaN;
    if (NUMBER.test(text)) return Number(text);
    counts.unread++;
    return Number.NaN;
  }

  /** Determines columns and time system at the first row. */
  function begin(): ColumnFacts[] {
    const named = metadata.fields();
    if (named.length === 0) throw unreadable(NO_FIELDS);
    collector.begin(named);
    const system = metadata.timeSystem;
    const stated = timeScaleNamed(system ?? "") ?? scaleNamed(system ?? "") ?? "other";
    const said = system === null ? [] : [{ scale: stated, text: system, by: "TIME SYSTEM" }];
    const found = file.scaleOf("epoch", said);
    scale = found.scale;
    if (system === null && found.by === "")
      notes.add(
        "The file does not tell its time system: epochs are taken as UTC. Were they GPS time, they would be 18 s too late since 2017.",
      );
    if (system === "UT1") notes.add("Epochs are in UT1, and shown as UTC, from which it differs by less than 0.9 s.");
    else if (scale !== UTC) notes.add(`Epochs are in ${scale.name} by ${found.by}, and shown in UTC.`);
    return named;
  }

  return {
    line(line: string): void {
      const mark = line[0];
      if (isAfterEnd) return;
      if (mark === "%") border(line);
      else if (mark === "+") block = line.slice(1).trim().toUpperCase();
      else if (mark === "-") block = "";
      else if (block !== "TROP/SOLUTION") metadata.line(block, line);
      else if (mark === "*") metadata.rowHeads(line);
      else if (line.trim() !== "") row(line.trim().split(/\s+/));
    },
    finish(): number {
      if (fields === null || collector.isEmpty) throw unreadable(counts.other > 0 ? OTHER_COLUMNS : NO_ROWS);
      if (!hasEnded) notes.add("The file has no last line %=ENDTRO: its end may be missing.");
      notes.count("Rows with another number of columns than the file names are left out", counts.other);
      notes.count("Rows without an epoch that can be read are left out", counts.untimed);
      notes.count("Fields that are not numbers are shown as missing", counts.unread);
      return scaleOffsetMs;
    },
  };
}
