import { isObserved, STATIONS } from "../meant.ts";
import { scenario, type Scenario, whenNew, withRow, withRows, without } from "../scenario.ts";
import { answerOf, type Asked, type Row } from "../server.ts";

// Unusual identifiers of the stations of rows.

const spelled =
  (spell: (id: string) => unknown) =>
  (row: Row): Row => ({ ...row, station_id: spell(row["station_id"] as string) });

const bare = (id: string): string => id.replaceAll("-", "");

/** Spellings of the same UUID. */
const SAME: readonly (readonly [string, (id: string) => string])[] = [
  ["as urn:uuid:", (id) => `urn:uuid:${id}`],
  ["as URN:UUID:, upper case", (id) => `URN:UUID:${id.toUpperCase()}`],
  ["urn:uuid: in braces", (id) => `{urn:uuid:${id}}`],
  ["without hyphens", bare],
  ["without hyphens, upper case, in braces", (id) => `{${bare(id).toUpperCase()}}`],
  ["with a line break after", (id) => `${id}\r\n`],
  ["with a NUL after", (id) => `${id}\u0000`],
  ["padded with NULs", (id) => `${id}${"\u0000".repeat(12)}`],
  ["with a no-break space before", (id) => `\u00a0${id}`],
  ["with a soft hyphen and a direction mark", (id) => `\u202a${id.slice(0, 8)}\u00ad${id.slice(8)}\u202c`],
  ["with other hyphens", (id) => id.replaceAll("-", "\u2010")],
];

/** Ambiguous: the rows are assigned to the station, or its cells fail. */
const OTHER: readonly (readonly [string, (id: string) => unknown])[] = [
  ["in parentheses", (id) => `(${id})`],
  ["in quotes", (id) => `"${id}"`],
  ["as an address", (id) => `https://example.test/api/v1/stations/${id}`],
  ["percent-encoded", (id) => `%7B${id}%7D`],
  ["a list of one", (id) => [id]],
  ["a list of two", (id) => [id, STATIONS[3]!.id]],
  ["an object", (id) => ({ id })],
  ["truncated after eight digits", (id) => id.slice(0, 8)],
  ["true", () => true],
  ["an empty text", () => ""],
];

const renamed = (field: string, spell: (id: string) => unknown) =>
  withRow((row) => ({ ...without(row, "station_id", "display_name"), [field]: spell(row["station_id"] as string) }));

const everyTenth = (change: (row: Row) => Row) => (asked: Asked) =>
  answerOf(asked.rows().map((row, i) => (i % 10 === 3 ? change(row) : row)));

export const IDENTITY: readonly Scenario[] = [
  ...SAME.map(([form, spell]) => scenario(`identity: ${form}`, withRow(spelled(spell)))),
  ...OTHER.map(([form, spell]) =>
    scenario(`identity: ${form}, always`, withRow(spelled(spell)), { expected: "any", isLong: true }),
  ),
  ...OTHER.map(([form, spell]) =>
    scenario(
      `identity: ${form}, of new cells`,
      whenNew((asked) => answerOf(asked.rows().map(spelled(spell)))),
    ),
  ),
  scenario(
    "identity: receiver_id alone",
    renamed("receiver_id", (id) => id),
  ),
  scenario(
    "identity: receiver_id as a list of one, in braces",
    renamed("receiver_id", (id) => [`{${id}}`]),
  ),
  scenario(
    "identity: stationId in another field, always",
    renamed("stationId", (id) => id),
    { expected: "any", isLong: true },
  ),
  scenario(
    "identity: null with receiver_id",
    withRow(({ station_id: id, ...row }) => ({ ...row, station_id: null, receiver_id: id })),
  ),
  scenario(
    "identity: correct, with the display name of another station",
    withRow((row) => ({ ...row, display_name: STATIONS[3]!.name })),
  ),
  scenario(
    "identity: every tenth row is foreign, of new cells",
    whenNew(everyTenth((row) => ({ ...row, station_id: "0f0f0f0f-1111-4222-8333-444444444444" }))),
  ),
  scenario(
    "identity: every tenth row has no id, of new cells",
    whenNew(everyTenth((row) => without(row, "station_id", "display_name"))),
  ),
  scenario(
    "identity: every tenth row belongs to a station that was not requested, of new cells",
    whenNew(everyTenth((row) => ({ ...row, station_id: STATIONS[3]!.id }))),
  ),
  scenario(
    "identity: every response also has all rows of a station that was not requested",
    withRows((rows) => {
      const other = rows.flatMap((row) => {
        const timeMs = Date.parse(row["timestamp"] as string);
        return isObserved(3, timeMs) ? [{ ...row, station_id: STATIONS[3]!.id, display_name: STATIONS[3]!.name }] : [];
      });
      return [...rows, ...other];
    }),
  ),
  scenario(
    "identity: a copy under another spelling, without values",
    withRows((rows) =>
      rows.flatMap((row) => [
        row,
        { ...row, station_id: `{${String(row["station_id"]).toUpperCase()}}`, ztd: null, ztd_sigma: null, pwv: null },
      ]),
    ),
  ),
];
