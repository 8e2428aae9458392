import { defined } from "#shared/defined.ts";
import { cellOfEpochs } from "#shared/series/cell.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { FormatFailure } from "../../error.ts";
import type { ForeignFile } from "../../foreign/file.ts";
import type { Pace } from "../../source.ts";
import type { ColumnCache } from "../columnCache.ts";
import { collectRows, type RowCollector } from "../collector/index.ts";
import { type Answers, asking, withTable } from "../meaning/ask.ts";
import { textLines } from "../text.ts";
import { type Notes } from "../notes.ts";
import type { SeriesFile } from "../types.ts";
import { COLUMNS, type CostHead, costHead, costRow, HEAD_LINES } from "./records.ts";

const NO_ROWS = "This COST-716 file has no rows that could be shown. Download it again.";

/** Whether a text has this format; its first block may be preceded by a line of dashes. */
export function isCost(text: string): boolean {
  return /^\s*(-{10,}\s*)?COST-716\b/.test(text);
}

/**
 * Opens a COST-716 V2 file, the format of E-GVAP: nine header lines and rows for each station. The layout follows published
 * examples of V2.2a and other programs (Midgard of Kartverket, Ginan of Geoscience Australia; COSMO for V1.0 and V2.0),
 * because the format description was not available. Epochs are UTC. Slant delays are left out.
 *
 * @throws FormatFailure
 */
export async function describeCost(
  file: ForeignFile,
  answers: Answers,
  cache: ColumnCache,
  pace: Pace,
): Promise<SeriesFile> {
  return collectRows(async (collector, notes) => {
    const reader = new BlockReader(collector, notes);
    collector.begin(COLUMNS);
    for (const lines of textLines(file)) {
      for (const line of lines) reader.line(line);
      await collector.afterBatch(pace);
    }
    const stations = reader.finish();
    const [first] = stations.values();
    const about = { format: "cost" as const, title: first?.project || null, source: commonSource(stations) };
    // A file of several centres contains a station several times.
    const isOfOne = new Set([...stations.values()].map(({ centre }) => centre)).size === 1;
    const groupOf = (key: string, timesMs: Float64Array) => {
      const { code = key, centre = "", domes = null, position = null, samplingMs = null } = stations.get(key) ?? {};
      const cell = cellOfEpochs(timesMs, samplingMs);
      return { label: isOfOne ? code : `${code} (${centre})`, stationId: code, satellite: null, position, domes, cell };
    };
    const { meanings, questions, table } = await collector.chosenMeanings("cost", answers);
    if (questions.length > 0 && table) {
      collector.close();
      return asking("cost", table, questions, answers);
    }
    const opened = await collector.finish(about, meanings, groupOf, { notes, cache, pace });
    return withTable(table, withoutEmptyColumns(opened, reader.hasValues));
  });
}

class BlockReader {
  readonly #collector: RowCollector;
  readonly #notes: Notes;
  readonly #stations = new Map<string, CostHead>();
  /** Whether each column of COLUMNS has a value in any row. */
  readonly hasValues: boolean[] = COLUMNS.map(() => false);
  /** Lines of an incomplete header. */
  #headLines: string[] | null = null;
  #head: CostHead | null = null;
  /** Day and time of day of the last row. */
  #dayMs = Number.NaN;
  #timeOfDayMs = 0;
  /** Number of remaining rows of the block. */
  #left = 0;
  readonly #counts = { heads: 0, short: 0, unread: 0, fields: 0, poor: 0, slants: 0 };

  constructor(collector: RowCollector, notes: Notes) {
    this.#collector = collector;
    this.#notes = notes;
  }

  line(line: string): void {
    if (isCost(line)) {
      this.#endBlock();
      this.#headLines = [line];
    } else if (this.#headLines) this.#headLine(this.#headLines, line);
    else if (this.#head) this.#row(this.#head, line);
  }

  /** Returns the headers by station and centre. */
  finish(): ReadonlyMap<string, CostHead> {
    this.#endBlock();
    if (this.#collector.isEmpty) throw new FormatFailure("unreadable", NO_ROWS);
    this.#notes.count("Blocks without a station or a time that can be read are left out", this.#counts.heads);
    this.#notes.count("Blocks have fewer rows than they announce; the file may be incomplete", this.#counts.short);
    this.#notes.count("Rows that cannot be read are left out", this.#counts.unread);
    this.#notes.count("Fields that are not numbers are shown as missing", this.#counts.fields);
    this.#notes.count("Rows that the file itself marks as poor are shown", this.#counts.poor);
    this.#notes.count("Slant delays are left out", this.#counts.slants);
    this.#notes.count(
      "Rows of further stations, of which there are too many, are left out",
      this.#collector.skippedRows,
    );
    return this.#stations;
  }

  #headLine(lines: string[], line: string): void {
    lines.push(line);
    if (lines.length !== HEAD_LINES) return;
    this.#head = costHead(lines);
    this.#headLines = null;
    if (this.#head === null) return void this.#counts.heads++;
    this.#dayMs = Math.floor(this.#head.firstMs / DAY_MS) * DAY_MS;
    this.#timeOfDayMs = this.#head.firstMs - this.#dayMs;
    this.#left = this.#head.rows;
  }

  #endBlock(): void {
    // An incomplete header counts as missing rows.
    if (this.#headLines || (this.#head && this.#left > 0)) this.#counts.short++;
    this.#head = this.#headLines = null;
  }

  #row(head: CostHead, line: string): void {
    const row = costRow(line);
    if (row === "slant") return void this.#counts.slants++;
    if (row === "other") return;
    if (row === "unread") return void this.#counts.unread++;
    // Rows have no date: a time that jumps back by more than half a day starts the next day.
    if (row.timeOfDayMs < this.#timeOfDayMs - DAY_MS / 2) this.#dayMs += DAY_MS;
    this.#timeOfDayMs = row.timeOfDayMs;
    this.#left--;
    this.#counts.fields += row.unreadFields;
    if (row.isPoor) this.#counts.poor++;
    const key = JSON.stringify([head.code, head.centre]);
    if (!this.#collector.add(key, this.#dayMs + row.timeOfDayMs, row.values)) return;
    row.values.forEach((value, i) => (this.hasValues[i] ||= !Number.isNaN(value)));
    if (!this.#stations.has(key)) this.#stations.set(key, head);
  }
}

/** Removes columns without values, because most files have only a few columns. */
function withoutEmptyColumns(file: SeriesFile, hasValues: readonly boolean[]): SeriesFile {
  const kept = [...file.series.entries()].filter(([i]) => hasValues[i % hasValues.length]);
  return {
    ...file,
    series: kept.map(([, series]) => series),
    rows: (index) => file.rows(defined(kept[index])[0]),
  };
}

function commonSource(stations: ReadonlyMap<string, CostHead>): string | null {
  const [source, ...others] = new Set([...stations.values()].map((head) => head.source));
  return others.length === 0 ? source || null : null;
}
