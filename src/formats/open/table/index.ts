import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { count } from "#shared/text.ts";
import { FormatFailure } from "../../error.ts";
import type { Pace } from "../../pace.ts";
import type { ColumnCache } from "../columnCache.ts";
import { Gathering, type GroupOf } from "../gathered/index.ts";
import { createNotes, type Notes } from "../notes.ts";
import type { SeriesFile } from "../types.ts";
import { fieldsOf, isComment, isNoValue, numberOf, type TableLayout } from "./layout.ts";

/** Lines between two looks at the size of what was read. */
const BATCH = 10_000;
const NO_ROWS = "This table names its columns, and has no rows with a time that can be read.";
const WORDS = { ",": "commas", ";": "semicolons", "\t": "tabs", blanks: "blanks" } as const;

/**
 * Reads a text table of any origin whose columns are named: time, perhaps a station and its position, and numbers.
 *
 * @param label of the series where no column names a station
 * @throws FormatFailure
 */
export async function describePlainTable(
  path: string,
  layout: TableLayout,
  label: string,
  cache: ColumnCache,
  pace: Pace,
): Promise<SeriesFile> {
  const gathering = new Gathering();
  try {
    const notes = createNotes();
    notes.add(`A table separated by ${WORDS[layout.delimiter]}; times are taken as UTC.`);
    for (const remark of layout.remarks) notes.add(remark);
    const stations = await readRows(path, layout, { gathering, notes, pace, label });
    const about = { format: "csv" as const, title: null, source: null };
    const none: GroupOf = { label, stationId: null, satellite: null, position: null };
    return await gathering.done(about, layout.numbers, (key) => stations.get(key) ?? none, { notes, cache, pace });
  } catch (thrown) {
    gathering.close();
    throw thrown;
  }
}

interface Target {
  readonly gathering: Gathering;
  readonly notes: Notes;
  readonly pace: Pace;
  readonly label: string;
}

async function readRows(
  path: string,
  layout: TableLayout,
  { gathering, notes, pace, label }: Target,
): Promise<Map<string, GroupOf>> {
  const stations = new Map<string, GroupOf>();
  const left = { short: 0, untimed: 0, unread: 0 };
  let lines = 0;
  let hasHead = false;
  for await (const line of createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Infinity })) {
    if (++lines % BATCH === 0) await gathering.settle(pace);
    if (line.trim() === "" || isComment(line)) continue;
    const fields = fieldsOf(line, layout.delimiter);
    const timeMs = fields.length === layout.width ? layout.time.read(fields) : Number.NaN;
    if (Number.isNaN(timeMs)) {
      // The first line without a time is that of the names.
      if (hasHead) left[fields.length === layout.width ? "untimed" : "short"]++;
      hasHead = true;
      continue;
    }
    hasHead = true;
    const values = layout.numbers.map(({ at }) => {
      const value = numberOf(fields[at] ?? "", layout.hasDecimalComma);
      if (Number.isNaN(value) && !isNoValue(fields[at] ?? "")) left.unread++;
      return value;
    });
    const key = layout.station < 0 ? "" : (fields[layout.station] ?? "");
    if (gathering.add(key, timeMs, values) && !stations.has(key))
      stations.set(key, stationOf(key || label, fields, layout));
  }
  if (gathering.isEmpty) throw new FormatFailure("unreadable", NO_ROWS);
  const say = (n: number, sentence: string): void => {
    if (n > 0) notes.add(`${sentence}: ${count(n)}.`);
  };
  say(left.short, "Lines with another number of fields than the first one are left out");
  say(left.untimed, "Lines without a time that can be read are left out");
  say(left.unread, "Fields that are not numbers are shown as missing");
  say(gathering.left, "Lines of further series, of which there are too many, are left out");
  return stations;
}

function stationOf(name: string, fields: readonly string[], layout: TableLayout): GroupOf {
  const at = (place: number): number =>
    place < 0 ? Number.NaN : numberOf(fields[place] ?? "", layout.hasDecimalComma);
  const [latitudeDeg, longitude, height] = [at(layout.latitude), at(layout.longitude), at(layout.height)];
  const isPlace = Math.abs(latitudeDeg) <= 90 && longitude >= -180 && longitude <= 360;
  const position = {
    latitudeDeg,
    longitudeDeg: longitude > 180 ? longitude - 360 : longitude,
    height: Number.isNaN(height) ? null : height,
    heightReference: null,
  };
  return {
    label: name,
    stationId: layout.station < 0 ? null : name,
    satellite: null,
    position: isPlace ? position : null,
  };
}
