import { FormatFailure } from "../../error.ts";
import type { ForeignFile } from "../../foreign/file.ts";
import type { Pace } from "../../source.ts";
import type { ColumnCache } from "../columnCache.ts";
import { collectRows, type RowCollector } from "../collector/index.ts";
import { textLines } from "../text.ts";
import { type Notes, quoted } from "../notes.ts";
import { type Answers, asking, withTable } from "../meaning/ask.ts";
import type { ColumnFacts } from "../meaning/columns.ts";
import { isNoValueWord } from "../meaning/noValue.ts";
import type { SeriesFile } from "../types.ts";
import { withUnitOfZtd } from "./fields.ts";
import { SinexMetadata } from "./head.ts";
import { epochMs } from "../time/moment.ts";
import { timeScaleNamed } from "../time/scale.ts";

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
export async function describeSinex(
  file: ForeignFile,
  answers: Answers,
  cache: ColumnCache,
  pace: Pace,
): Promise<SeriesFile> {
  return collectRows(async (collector, notes) => {
    const reader = new SinexReader(collector, notes, await trailingMetadata(file, pace));
    for (const lines of textLines(file)) {
      for (const line of lines) reader.line(line);
      await collector.afterBatch(pace);
    }
    const { metadata, scaleOffsetMs } = reader.finish();
    const { meanings, questions, table } = await collector.chosenMeanings("sinex", answers);
    if (questions.length > 0 && table) {
      collector.close();
      return asking("sinex", table, questions, answers);
    }
    const columns = withUnitOfZtd(meanings);
    const ztd = columns.find((each) => each?.quantity.variable === "ztd");
    if (ztd?.words && metadata.units !== "stated")
      notes.add(
        `${metadata.units === "none" ? NO_UNITS : OTHER_UNITS}: ${ztd.words}. Other delays and gradients are taken as the same.`,
      );
    const about = {
      format: "sinex" as const,
      title: metadata.reference("DESCRIPTION"),
      source: metadata.reference("OUTPUT"),
    };
    const groupOf = (code: string, timesMs: Float64Array) => ({
      label: code,
      stationId: metadata.stationId(code) ?? code,
      satellite: null,
      position: metadata.position(code),
      domes: metadata.domes(code),
      cell: metadata.cell(timesMs, scaleOffsetMs),
    });
    return withTable(table, await collector.finish(about, columns, groupOf, { notes, cache, pace }));
  });
}

/** Reads the metadata after the rows, if the description does not precede them. */
async function trailingMetadata(file: ForeignFile, pace: Pace): Promise<SinexMetadata> {
  const metadata = new SinexMetadata();
  let block = "";
  let isAfterRows = false;
  for (const lines of textLines(file)) {
    for (const line of lines) {
      if (line.startsWith("+")) block = line.slice(1).trim().toUpperCase();
      else if (/^[-%]/.test(line)) block = "";
      else if (isAfterRows && block !== "TROP/SOLUTION") metadata.line(block, line);
      // A concatenated second file does not describe these rows.
      if (isAfterRows && line.startsWith("%")) return metadata;
      if (!isAfterRows && block === "TROP/DESCRIPTION") return metadata;
      isAfterRows ||= block === "TROP/SOLUTION";
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

class SinexReader {
  readonly #collector: RowCollector;
  readonly #notes: Notes;
  readonly #metadata: SinexMetadata;
  #block = "";
  #fields: ColumnFacts[] | null = null;
  #toUtc: (ms: number) => number = (ms) => ms;
  /** Epochs of the file minus UTC, at its last row. */
  #scaleOffsetMs = 0;
  #hasEnded = false;
  /** A second file was concatenated to this one. */
  #isAfterEnd = false;
  readonly #counts = { untimed: 0, unread: 0, other: 0 };

  constructor(collector: RowCollector, notes: Notes, metadata: SinexMetadata) {
    this.#collector = collector;
    this.#notes = notes;
    this.#metadata = metadata;
  }

  line(line: string): void {
    const mark = line[0];
    if (this.#isAfterEnd) return;
    if (mark === "%") this.#border(line);
    else if (mark === "+") this.#block = line.slice(1).trim().toUpperCase();
    else if (mark === "-") this.#block = "";
    else if (this.#block !== "TROP/SOLUTION") this.#metadata.line(this.#block, line);
    else if (mark === "*") this.#metadata.rowHeads(line);
    else if (line.trim() !== "") this.#row(line.trim().split(/\s+/));
  }

  /** Handles the first or last line of a file. */
  #border(line: string): void {
    this.#hasEnded = line.startsWith("%=END");
    this.#block = "";
    if (this.#hasEnded || this.#fields === null) return;
    // The second file may have other columns and units.
    this.#isAfterEnd = true;
    this.#hasEnded = true;
    this.#notes.add("Another file begins within this one: only the first is shown. Split them, and open each.");
  }

  finish(): { readonly metadata: SinexMetadata; readonly scaleOffsetMs: number } {
    if (this.#fields === null || this.#collector.isEmpty)
      throw new FormatFailure("unreadable", this.#counts.other > 0 ? OTHER_COLUMNS : NO_ROWS);
    if (!this.#hasEnded) this.#notes.add("The file has no last line %=ENDTRO: its end may be missing.");
    this.#notes.count("Rows with another number of columns than the file names are left out", this.#counts.other);
    this.#notes.count("Rows without an epoch that can be read are left out", this.#counts.untimed);
    this.#notes.count("Fields that are not numbers are shown as missing", this.#counts.unread);
    this.#notes.count("Rows of further sites, of which there are too many, are left out", this.#collector.skippedRows);
    return { metadata: this.#metadata, scaleOffsetMs: this.#scaleOffsetMs };
  }

  #row([code = "", epoch = "", ...texts]: readonly string[]): void {
    this.#fields ??= this.#begin();
    const ownMs = epochMs(epoch);
    const ms = this.#toUtc(ownMs);
    if (Number.isNaN(ms)) return void this.#counts.untimed++;
    this.#scaleOffsetMs = ownMs - ms;
    if (texts.length !== this.#fields.length) return void this.#counts.other++;
    this.#collector.add(
      code,
      ms,
      texts.map((text) => this.#value(text)),
    );
  }

  #value(text: string): number {
    if (NO_VALUE.test(text) || isNoValueWord(text)) return Number.NaN;
    if (NUMBER.test(text)) return Number(text);
    this.#counts.unread++;
    return Number.NaN;
  }

  /** Determines columns and time system at the first row. */
  #begin(): ColumnFacts[] {
    const fields = this.#metadata.fields();
    if (fields.length === 0) throw new FormatFailure("unreadable", NO_FIELDS);
    this.#collector.begin(fields);
    const system = this.#metadata.timeSystem;
    const scale = system === null ? null : timeScaleNamed(system);
    if (scale) {
      this.#toUtc = scale.toUtc;
      this.#notes.add(`Epochs are in ${scale.name} in the file, and shown in UTC (leap seconds taken off).`);
    } else if (system !== "UTC")
      this.#notes.add(
        system === null
          ? "The file does not tell its time system: epochs are taken as UTC. Were they GPS time, they would be 18 s too late since 2017."
          : `Epochs in the time system ${quoted(system)} are taken as UTC.`,
      );
    return fields;
  }
}
