import { defined } from "#shared/defined.ts";
import { cellOfEpochs } from "#shared/series/cell.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { unreadable } from "../../error.ts";
import type { ForeignFile } from "../../foreign/file.ts";
import { collectRows, type RowCollector } from "../collector/index.ts";
import type { ColumnMeaning } from "../meaning/columns.ts";
import { NamedFile } from "../meaning/named.ts";
import { textLines } from "../text.ts";
import { common, type Notes } from "../notes.ts";
import type { Reading, SeriesFile } from "../types.ts";
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
export async function describeCost(file: ForeignFile, reading: Reading): Promise<SeriesFile> {
  return collectRows(async (collector, notes) => {
    const names = COLUMNS.map(({ raw }) => raw.name);
    const named = await NamedFile.of("cost", names, names, reading.choice);
    const blocks = blockReader(collector, notes);
    collector.begin(COLUMNS);
    for (const lines of textLines(file)) {
      for (const line of lines) blocks.line(line);
      await collector.afterBatch(reading.pace);
    }
    const { stations, hasValues } = blocks.finish();
    const [first] = stations.values();
    const about = {
      format: "cost" as const,
      title: first?.project || null,
      source: common([...stations.values()].map(({ source }) => source)) || null,
    };
    // A file of several centres contains a station several times.
    const isOfOne = new Set([...stations.values()].map(({ centre }) => centre)).size === 1;
    const groupOf = (key: string, timesMs: Float64Array) => {
      const { code, centre, domes, position, samplingMs } = defined(stations.get(key));
      const cell = cellOfEpochs(timesMs, samplingMs);
      return { label: isOfOne ? code : `${code} (${centre})`, stationId: code, satellite: null, position, domes, cell };
    };
    // Most files have only a few columns.
    const shownOf = (meanings: readonly (ColumnMeaning | null)[]) =>
      meanings.map((meaning, i) => (hasValues[i] ? meaning : null));
    return collector.finishNamed(about, shownOf, groupOf, { ...reading, notes, named });
  });
}

/** Reads a file line by line. `finish` returns the headers by station and centre, and which of COLUMNS have values. */
function blockReader(collector: RowCollector, notes: Notes) {
  const stations = new Map<string, CostHead>();
  const hasValues = COLUMNS.map(() => false);
  let headLines: string[] | null = null;
  let head: CostHead | null = null;
  /** Day and time of day of the last row. */
  let dayMs = Number.NaN;
  let timeOfDayMs = 0;
  let left = 0;
  const counts = { heads: 0, short: 0, unread: 0, fields: 0, poor: 0, slants: 0 };

  function headLine(lines: string[], line: string): void {
    lines.push(line);
    if (lines.length !== HEAD_LINES) return;
    head = costHead(lines);
    headLines = null;
    if (head === null) return void counts.heads++;
    dayMs = Math.floor(head.firstMs / DAY_MS) * DAY_MS;
    timeOfDayMs = head.firstMs - dayMs;
    left = head.rows;
  }

  function endBlock(): void {
    // An incomplete header counts as missing rows.
    if (headLines || (head && left > 0)) counts.short++;
    head = headLines = null;
  }

  function addRow(of: CostHead, line: string): void {
    const row = costRow(line);
    if (row === "slant") return void counts.slants++;
    if (row === "other") return;
    if (row === "unread") return void counts.unread++;
    // Rows have no date: a time that jumps back by more than half a day starts the next day.
    if (row.timeOfDayMs < timeOfDayMs - DAY_MS / 2) dayMs += DAY_MS;
    timeOfDayMs = row.timeOfDayMs;
    left--;
    counts.fields += row.unreadFields;
    if (row.isPoor) counts.poor++;
    const key = JSON.stringify([of.code, of.centre]);
    if (!collector.add(key, dayMs + row.timeOfDayMs, row.values)) return;
    row.values.forEach((value, i) => (hasValues[i] ||= !Number.isNaN(value)));
    if (!stations.has(key)) stations.set(key, of);
  }

  return {
    line(line: string): void {
      if (isCost(line)) {
        endBlock();
        headLines = [line];
      } else if (headLines) headLine(headLines, line);
      else if (head) addRow(head, line);
    },
    finish() {
      endBlock();
      if (collector.isEmpty) throw unreadable(NO_ROWS);
      notes.count("Blocks without a station or a time that can be read are left out", counts.heads);
      notes.count("Blocks have fewer rows than they announce; the file may be incomplete", counts.short);
      notes.count("Rows that cannot be read are left out", counts.unread);
      notes.count("Fields that are not numbers are shown as missing", counts.fields);
      notes.count("Rows that the file itself marks as poor are shown", counts.poor);
      notes.count("Slant delays are left out", counts.slants);
      return { stations, hasValues };
    },
  };
}
