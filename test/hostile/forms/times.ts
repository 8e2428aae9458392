import { HOUR_MS } from "../meant.ts";
import { scenario, type Scenario, whenNew, withRow, withRows } from "../scenario.ts";
import { answerOf, type Row } from "../server.ts";

// Unusual notations of the times of rows. The time zone of the computer must not affect them.

const TIMES = { environment: { TZ: "Asia/Kolkata" } } as const;

const at =
  (write: (timeMs: number, iso: string) => unknown) =>
  (row: Row): Row => {
    const iso = row["timestamp"] as string;
    return { ...row, timestamp: write(Date.parse(iso), iso) };
  };

const offset = (timeMs: number, minutes: number, zone: string): string =>
  new Date(timeMs + minutes * 60_000).toISOString().replace("Z", zone);

const CLEAR: readonly (readonly [string, (timeMs: number, iso: string) => unknown])[] = [
  ["offset +05:45", (ms) => offset(ms, 345, "+05:45")],
  ["offset -0930 without a colon", (ms) => offset(ms, -570, "-0930")],
  ["offset +00:00", (_, iso) => iso.replace("Z", "+00:00")],
  ["another offset in every row", (ms) => ((ms / 30_000) % 2 ? offset(ms, 120, "+02:00") : offset(ms, -60, "-01:00"))],
  ["a space instead of T", (_, iso) => iso.replace("T", " ")],
  ["lower case", (_, iso) => iso.toLowerCase()],
  ["one decimal of the second", (_, iso) => iso.replace(".000Z", ".0Z")],
];

/** The specification has texts with a zone: these are read correctly, or the cells fail. */
const UNCLEAR: readonly (readonly [string, (timeMs: number, iso: string) => unknown])[] = [
  ["no zone", (_, iso) => iso.replace("Z", "")],
  ["no zone, a space", (_, iso) => iso.replace("T", " ").replace(".000Z", "")],
  ["spaces around", (_, iso) => ` ${iso} `],
  ["a comma before the decimals of the second", (_, iso) => iso.replace(".", ",")],
  ["milliseconds as a number", (ms) => ms],
  ["seconds as a number", (ms) => ms / 1_000],
  ["seconds as a text", (ms) => String(ms / 1_000)],
  ["the basic form", (_, iso) => iso.replaceAll(/[-:]|\.000/g, "")],
  ["as in HTTP", (ms) => new Date(ms).toUTCString()],
  ["with the name of the zone", (_, iso) => `${iso}[UTC]`],
  ["an object", (_, iso) => ({ $date: iso })],
  ["null", () => null],
];

const everyNth = (n: number, write: (timeMs: number, iso: string) => unknown) =>
  whenNew((asked) => answerOf(asked.rows().map((row, i) => (i % n === 1 ? at(write)(row) : row))));

export const TIMES_OF_ROWS: readonly Scenario[] = [
  ...CLEAR.map(([form, write]) => scenario(`times: ${form}`, withRow(at(write)), TIMES)),
  ...UNCLEAR.flatMap(([form, write]) => [
    scenario(`times: ${form}, always`, withRow(at(write)), { ...TIMES, expected: "any", isLong: true }),
    scenario(
      `times: ${form}, of new cells`,
      whenNew((asked) => answerOf(asked.rows().map(at(write)))),
      TIMES,
    ),
  ]),
  scenario(
    "times: every fifth row without a time, of new cells",
    everyNth(5, () => null),
  ),
  scenario(
    "times: every hundredth row ten years in the past, of new cells",
    everyNth(100, (ms) => new Date(ms - 3_650 * 24 * HOUR_MS).toISOString()),
  ),
  scenario(
    "times: the end of the range is included",
    withRows((rows, asked) => [
      ...rows,
      ...asked.stations.flatMap((station) => {
        const one = rows.find((row) => row["station_id"] !== undefined);
        return one && station >= 0 ? [{ ...one, timestamp: new Date(asked.endMs).toISOString() }] : [];
      }),
    ]),
  ),
];
