import { count } from "#shared/text.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { FormatFailure } from "../../error.ts";
import type { Pace } from "../../pace.ts";
import type { ColumnCache } from "../columnCache.ts";
import { Gathering } from "../gathered/index.ts";
import { textLines } from "../lines.ts";
import { createNotes, type Notes } from "../notes.ts";
import type { SeriesFile } from "../types.ts";
import { type CostHead, costHead, HEAD_LINES } from "./head.ts";
import { COLUMNS, costRow } from "./row.ts";

const NO_ROWS = "This COST-716 file has no rows that could be shown. Download it again.";

/** Whether a text is of this format: a rule of dashes may stand before its first block. */
export function isCost(text: string): boolean {
  return /^\s*(-{10,}\s*)?COST-716\b/.test(text);
}

/**
 * Reads a file of COST-716 V2, the format of E-GVAP: a block of nine lines and its rows for each station. The layout is that
 * of V2.2a as published examples have it, and as the readers and writers of other programs document it (Midgard of
 * Kartverket, Ginan of Geoscience Australia; COSMO for V1.0 and V2.0); the text of the description could not be had. Epochs
 * are UTC. Slant delays are left out.
 *
 * @throws FormatFailure
 */
export async function describeCost(path: string, cache: ColumnCache, pace: Pace): Promise<SeriesFile> {
  const gathering = new Gathering();
  try {
    const notes = createNotes();
    const reading = new Blocks(gathering, notes);
    for await (const lines of textLines(path)) {
      for (const line of lines) reading.line(line);
      await gathering.settle(pace);
    }
    const stations = reading.done();
    const [first] = stations.values();
    const about = { format: "cost" as const, title: first?.project || null, source: same(stations, "source") };
    // A file of several centres has a station several times.
    const isOfOne = new Set([...stations.values()].map(({ centre }) => centre)).size === 1;
    const groupOf = (key: string) => {
      const { code = key, centre = "", domes = null, position = null } = stations.get(key) ?? {};
      return { label: isOfOne ? code : `${code} (${centre})`, stationId: code, satellite: null, position, domes };
    };
    const file = await gathering.done(about, COLUMNS, groupOf, { notes, cache, pace });
    return withValues(file, reading.filled);
  } catch (thrown) {
    gathering.close();
    throw thrown;
  }
}

class Blocks {
  readonly #gathering: Gathering;
  readonly #notes: Notes;
  readonly #stations = new Map<string, CostHead>();
  /** Whether a column of COLUMNS has a value in any row. */
  readonly filled: boolean[] = COLUMNS.map(() => false);
  #waiting: string[] | null = null;
  #head: CostHead | null = null;
  /** The first moment of the day of the last row, and the time of that row in it. */
  #dayMs = Number.NaN;
  #timeOfDayMs = 0;
  /** Rows of the block that are still to come. */
  #left = 0;
  readonly #counts = { heads: 0, short: 0, unread: 0, fields: 0, poor: 0, slants: 0 };

  constructor(gathering: Gathering, notes: Notes) {
    this.#gathering = gathering;
    this.#notes = notes;
  }

  line(line: string): void {
    if (isCost(line)) {
      this.#endBlock();
      this.#waiting = [line];
    } else if (this.#waiting) this.#headLine(line);
    else if (this.#head) this.#row(this.#head, line);
  }

  /** By station and centre. */
  done(): ReadonlyMap<string, CostHead> {
    this.#endBlock();
    if (this.#gathering.isEmpty) throw new FormatFailure("unreadable", NO_ROWS);
    const say = (n: number, sentence: string): void => {
      if (n > 0) this.#notes.add(`${sentence}: ${count(n)}.`);
    };
    say(this.#counts.heads, "Blocks without a station or a time that can be read are left out");
    say(this.#counts.short, "Blocks have fewer rows than they announce; the file may be incomplete");
    say(this.#counts.unread, "Rows that cannot be read are left out");
    say(this.#counts.fields, "Fields that are not numbers are shown as missing");
    say(this.#counts.poor, "Rows that the file itself marks as poor are shown");
    say(this.#counts.slants, "Slant delays are left out");
    say(this.#gathering.left, "Rows of further stations, of which there are too many, are left out");
    return this.#stations;
  }

  #headLine(line: string): void {
    this.#waiting?.push(line);
    if (this.#waiting?.length !== HEAD_LINES) return;
    this.#head = costHead(this.#waiting);
    this.#waiting = null;
    if (this.#head === null) return void this.#counts.heads++;
    this.#dayMs = Math.floor(this.#head.firstMs / DAY_MS) * DAY_MS;
    this.#timeOfDayMs = this.#head.firstMs - this.#dayMs;
    this.#left = this.#head.rows;
  }

  #endBlock(): void {
    // A head that is cut short has no rows either.
    if (this.#waiting || (this.#head && this.#left > 0)) this.#counts.short++;
    this.#head = this.#waiting = null;
  }

  #row(head: CostHead, line: string): void {
    const row = costRow(line);
    if (row === "slant") return void this.#counts.slants++;
    if (row === "other") return;
    if (row === "unread") return void this.#counts.unread++;
    // Rows tell no day: they follow the first one, and after midnight comes the next day.
    if (row.timeOfDayMs < this.#timeOfDayMs - DAY_MS / 2) this.#dayMs += DAY_MS;
    this.#timeOfDayMs = row.timeOfDayMs;
    this.#left--;
    this.#counts.fields += row.unreadFields;
    if (row.isPoor) this.#counts.poor++;
    const key = JSON.stringify([head.code, head.centre]);
    if (!this.#gathering.add(key, this.#dayMs + row.timeOfDayMs, row.values)) return;
    row.values.forEach((value, i) => (this.filled[i] ||= !Number.isNaN(value)));
    if (!this.#stations.has(key)) this.#stations.set(key, head);
  }
}

/** Without the columns of which no row has a value: most files have but a few of them. */
function withValues(file: SeriesFile, filled: readonly boolean[]): SeriesFile {
  const kept = file.series.flatMap((_, i) => (filled[i % filled.length] ? [i] : []));
  return { ...file, series: kept.map((i) => file.series[i]!), rows: (index) => file.rows(kept[index]!) };
}

function same(stations: ReadonlyMap<string, CostHead>, field: "source"): string | null {
  const texts = new Set([...stations.values()].map((head) => head[field]));
  return texts.size === 1 ? [...texts][0] || null : null;
}
