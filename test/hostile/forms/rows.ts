import { DAY_MS, isObserved, STATIONS } from "../meant.ts";
import { always, each, firstAndAlways, scenario, type Answer, type Scenario } from "../scenario.ts";
import { whenNew, withRow, withRows, without } from "../scenario.ts";
import { answerOf, type Row, rowsOf } from "../server.ts";

// Forms of rows: whose they are, when they were measured, and what they say.

type Change = (row: Row) => Row;
const FOREIGN = "0f0f0f0f-1111-4222-8333-444444444444";

const spelt =
  (spell: (id: string) => unknown): Change =>
  (row) => ({ ...row, station_id: spell(row["station_id"] as string) });
const timed =
  (write: (timeMs: number, iso: string) => unknown): Change =>
  (row) => ({ ...row, timestamp: write(Date.parse(row["timestamp"] as string), row["timestamp"] as string) });
const zoned = (timeMs: number, minutes: number, zone: string): string =>
  new Date(timeMs + minutes * 60_000).toISOString().replace("Z", zone);
const changed =
  (change: Change): Answer =>
  (asked) =>
    answerOf(asked.rows().map(change));
/** Changes every nth row. */
const someRows =
  (n: number, change: Change): Answer =>
  (asked) =>
    answerOf(asked.rows().map((row, i) => (i % n === 1 ? change(row) : row)));

/** Spellings of a UUID (the others are those of `test/shared/stationId.test.ts`) and places for it. */
const SAME_STATION: Readonly<Record<string, Change>> = {
  "in braces and upper case": spelt((id) => `{${id.toUpperCase()}}`),
  "with a soft hyphen and a direction mark": spelt((id) => `\u202a${id.slice(0, 8)}\u00ad${id.slice(8)}\u202c`),
  "receiver_id as a list of one": ({ station_id: id, ...row }) => ({ ...row, receiver_id: [id] }),
  "with the display name of another station": (row) => ({ ...row, display_name: STATIONS[3]!.name }),
};

/** Ambiguous: the rows are assigned to the station, or its cells fail. */
const DOUBTFUL_STATION: Readonly<Record<string, Answer>> = {
  "a list of two": changed(spelt((id) => [id, STATIONS[3]!.id])),
  "null with the display name": changed(spelt(() => null)),
  "neither id nor name": changed((row) => without(row, "station_id", "display_name")),
  foreign: changed(spelt(() => FOREIGN)),
  "foreign for one station": changed((row) =>
    row["station_id"] === STATIONS[1]!.id ? spelt(() => FOREIGN)(row) : row,
  ),
  "another station in every tenth row": someRows(
    10,
    spelt(() => STATIONS[3]!.id),
  ),
};

const CLEAR_TIMES: Readonly<Record<string, Change>> = {
  "offset -0930 without a colon": timed((ms) => zoned(ms, -570, "-0930")),
  "another offset in every row": timed((ms) =>
    zoned(ms, (ms / 30_000) % 2 ? 120 : -60, (ms / 30_000) % 2 ? "+02:00" : "-01:00"),
  ),
  "lower case with nanoseconds": timed((_, iso) => iso.replace(".000Z", ".000000000z").toLowerCase()),
};

/** The specification has texts with a zone: these are read correctly, or the cells fail. */
const DOUBTFUL_TIMES: Readonly<Record<string, Answer>> = {
  "no zone": changed(timed((_, iso) => iso.replace("Z", ""))),
  "milliseconds as a number": changed(timed((ms) => ms)),
  "an object": changed(timed((_, iso) => ({ $date: iso }))),
  "those of another month": changed(timed((ms) => new Date(ms + 40 * DAY_MS).toISOString())),
  "null in every fifth row": someRows(
    5,
    timed(() => null),
  ),
  "ten years ago in every hundredth row": someRows(
    100,
    timed((ms) => new Date(ms - 3_650 * DAY_MS).toISOString()),
  ),
};

const values =
  (write: (value: unknown, name: string) => unknown): Change =>
  (row) => ({
    ...row,
    ...Object.fromEntries(["ztd", "ztd_sigma", "pwv"].map((name) => [name, write(row[name], name)])),
  });
const written =
  (pattern: RegExp, write: (value: string) => string): Answer =>
  (asked) => ({
    body: String(answerOf(asked.rows()).body).replaceAll(
      pattern,
      (_, name: string, n: string) => `"${name}":${write(n)}`,
    ),
  });
const NUMBERS = /"(ztd|ztd_sigma|pwv)":([\d.]+)/g;
const MISSING = /"(pwv)":(null)/g;
let nth = 0;
const NO_VALUES = ['"NaN"', '""', "null", '"n/a"', '"-"', "NaN", '"none"', "Infinity", '"<NA>"', "-NaN", '"-inf"'];

/** Numbers and missing values that can be read. */
const VALUES: Readonly<Record<string, Answer>> = {
  "numbers as texts with zeros and spaces": changed(values((n) => (typeof n === "number" ? ` ${n.toFixed(6)} ` : n))),
  exponents: written(NUMBERS, (n) => `${n}E0`),
  "missing is absent": changed((row) => (row["pwv"] === null ? without(row, "pwv") : row)),
  "missing has another form in every row": written(MISSING, () => NO_VALUES[nth++ % NO_VALUES.length]!),
};

const STRANGE_VALUES: Readonly<Record<string, Answer>> = Object.fromEntries([
  ...["1e999", "[]", "{}", "true", '"2,400.5"', '"2400.5 mm"', '"0x10"'].map((form) => [
    `missing is ${form}`,
    written(MISSING, () => form),
  ]),
  ...[{ value: 1 }, [2_400], true, "high"].map((form) => [
    `${JSON.stringify(form)} in some rows`,
    someRows(700, (row) => ({ ...row, ztd: form })),
  ]),
]);

const NOTHING = { ztd: null, ztd_sigma: null, pwv: null };
const part = (row: Row, name: string): Row => ({ ...without(row, "ztd", "ztd_sigma", "pwv"), [name]: row[name] });
const shuffled = (rows: readonly Row[]): Row[] =>
  rows
    .map((row, i) => [(i * 7_919) % 10_007, row] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, row]) => row);

const DUPLICATES: Readonly<Record<string, (rows: Row[]) => Row[]>> = {
  "equal, in reverse order": (rows) => rows.flatMap((row) => [row, row]).toReversed(),
  "empty copies after all": (rows) => [...rows, ...rows.map((row) => ({ ...row, ...NOTHING }))],
  "each variable in a separate copy, shuffled": (rows) =>
    shuffled(rows.flatMap((row) => [part(row, "ztd"), part(row, "ztd_sigma"), part(row, "pwv")])),
  "a wrong value first, with another notation of time": (rows) =>
    rows.flatMap((row) => [{ ...row, timestamp: String(row["timestamp"]).replace("Z", "+00:00"), ztd: 1_234.5 }, row]),
  "all rows of a station that was not requested": (rows) =>
    rows.flatMap((row) =>
      isObserved(3, Date.parse(row["timestamp"] as string))
        ? [row, { ...row, station_id: STATIONS[3]!.id, display_name: STATIONS[3]!.name }]
        : [row],
    ),
};

/** The specification has texts with a zone; that of the computer must not affect them. */
const ZONE = { environment: { TZ: "Asia/Kolkata" } } as const;

export const ROWS: readonly Scenario[] = [
  ...each(["identity"], SAME_STATION, withRow),
  ...firstAndAlways("identity", DOUBTFUL_STATION),
  ...each(["times"], CLEAR_TIMES, withRow, ZONE),
  ...firstAndAlways("times", DOUBTFUL_TIMES),
  scenario("times: no zone, with a local zone", always(DOUBTFUL_TIMES["no zone"]!), { ...ZONE, expected: "any" }),
  ...each(["values"], VALUES, always),
  ...firstAndAlways("values", STRANGE_VALUES),
  ...each(["duplicates"], DUPLICATES, withRows),
  scenario(
    "duplicates: the end of the range",
    withRows((rows, asked) => [
      ...rows,
      ...rows.slice(0, 1).map((row) => ({ ...row, timestamp: new Date(asked.endMs).toISOString() })),
    ]),
  ),
  scenario("duplicates: every response has the whole days of its epochs", () => ({
    series: ({ stations, variables, startMs, endMs, points }) => {
      if (points > 1_500) return { status: 413, body: '{"error":"limit 1500 data points"}' };
      const [fromMs, toMs] = [Math.floor(startMs / DAY_MS) * DAY_MS, Math.ceil(endMs / DAY_MS) * DAY_MS];
      return answerOf(rowsOf({ stations, variables, startMs: fromMs, endMs: toMs }));
    },
  })),
  scenario(
    "times: the next year in the second half of each response, of new cells",
    whenNew((asked) => {
      const rows = asked.rows();
      return answerOf(
        rows.map((row, i) =>
          i * 2 < rows.length ? row : timed((ms) => new Date(ms + 365 * DAY_MS).toISOString())(row),
        ),
      );
    }),
  ),
];
