import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { scratchFolder } from "../tools.ts";
import { type Shown, shown } from "./support.ts";

const folder = scratchFolder();
const DAY = 86_400_000;
const START = Date.UTC(2026, 9, 9);

/** Columns by name, with the text of each at a moment. */
type Columns = Readonly<Record<string, (ms: number) => string>>;

const two = (n: number): string => String(n).padStart(2, "0");
const parts = (ms: number) => {
  const date = new Date(ms);
  return {
    year: String(date.getUTCFullYear()),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    ofYear: Math.floor((ms - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY) + 1,
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
};
const iso = (ms: number): string => new Date(ms).toISOString();
const year = (ms: number): string => parts(ms).year;
const ofYear = (ms: number): string => String(parts(ms).ofYear).padStart(3, "0");
const month = (ms: number): string => String(parts(ms).month);
const day = (ms: number): string => two(parts(ms).day);
const hour = (ms: number): string => String(parts(ms).hour);
const minute = (ms: number): string => String(parts(ms).minute);
const second = (ms: number): string => String(parts(ms).second);
const secondOfDay = (ms: number): string => String((ms % DAY) / 1_000);

const clockOfTwelve = (ms: number): string => {
  const { hour: hours } = parts(ms);
  return `${hours % 12 || 12}:${two(parts(ms).minute)} ${hours < 12 ? "AM" : "PM"}`;
};

const DATES: readonly Columns[] = [
  { date: (ms) => iso(ms).slice(0, 10) },
  { date: (ms) => iso(ms).slice(0, 10).replaceAll("-", "") },
  { ymd: (ms) => iso(ms).slice(0, 10).replaceAll("-", "/") },
  { year, month, day },
  { yyyy: year, mm: month, dd: day },
  { year, doy: ofYear },
  { yr: (ms) => year(ms).slice(2), ddd: ofYear },
  { mjd: (ms) => String(Math.floor(ms / DAY) + 40_587) },
];

/** To the minute. */
const MINUTES: readonly Columns[] = [
  { time: (ms) => iso(ms).slice(11, 16) },
  { epoch: (ms) => iso(ms).slice(11, 16) },
  { utc: (ms) => iso(ms).slice(11, 16).replace(/^0/, "") },
  { hour: (ms) => iso(ms).slice(11, 16) },
  { hour: (ms) => iso(ms).slice(11, 16).replace(":", "") },
  { clock: (ms) => iso(ms).slice(11, 16).replace(":", "") },
  { hhmm: (ms) => iso(ms).slice(11, 16).replace(":", "") },
  { hhmm: (ms) => String(Number(iso(ms).slice(11, 16).replace(":", ""))) },
  { hour, minute },
  { hh: (ms) => two(parts(ms).hour), mm: minute },
  { h: hour, m: minute },
  { hr: hour, min: minute },
  { "hour(UTC)": hour, mn: minute },
  { hour_utc: hour, minute_utc: minute },
  { time_utc: (ms) => iso(ms).slice(11, 16) },
];
const SECONDS: readonly Columns[] = [
  { time: (ms) => iso(ms).slice(11, 19) },
  { hhmmss: (ms) => String(Number(iso(ms).slice(11, 19).replaceAll(":", ""))) },
  { hh_mm_ss: (ms) => iso(ms).slice(11, 19) },
  { hour, minute, second },
  { hh: hour, mm: minute, ss: second },
  { h: hour, m: minute, s: second },
  { hhmm: (ms) => iso(ms).slice(11, 16).replace(":", ""), ss: second },
  { sod: secondOfDay },
  { seconds: secondOfDay },
];
const SEPARATORS = [",", ";", "\t", " "];
const UNREADABLE = ["x", "25:00", "99999", "-1"];

const read = (text: string): Promise<Shown | string> => shown(join(folder, "times.csv"), text);

interface Table {
  readonly columns: Columns;
  readonly separator: string;
  readonly times: readonly number[];
  /** Rows whose last column of time has this text instead. */
  readonly damaged: ReadonlyMap<number, string>;
}

function textOf({ columns, separator, times, damaged }: Table): string {
  const names = Object.keys(columns);
  const rows = times.map((ms, i) => [
    ...Object.values(columns).map((text, k) => (k === names.length - 1 ? (damaged.get(i) ?? text(ms)) : text(ms))),
    String(2_345 + i),
  ]);
  return [[...names, "ztd_mm"], ...rows].map((row) => `${row.join(separator)}\n`).join("");
}

const layouts = (unitMs: number, ofDay: readonly Columns[]) =>
  fc.record({
    date: fc.constantFrom(...DATES),
    ofDay: fc.constantFrom(...ofDay),
    separator: fc.constantFrom(...SEPARATORS),
    times: fc
      .uniqueArray(fc.integer({ min: 0, max: (2 * DAY) / unitMs - 1 }), { minLength: 1, maxLength: 40 })
      .map((units) => units.toSorted((a, b) => a - b).map((unit) => START + unit * unitMs)),
    isDateFirst: fc.boolean(),
  });
const tables = fc.oneof(layouts(60_000, MINUTES), layouts(1_000, SECONDS));

/** Whether a note is about something else than the columns of the time. */
const isOther = (note: string): boolean => !note.startsWith("Times are read from");

it("a table with any columns of a date and a time of day has exactly the times that were written", async () => {
  await fc.assert(
    fc.asyncProperty(tables, fc.boolean(), async ({ date, ofDay, separator, times, isDateFirst }, isOfStation) => {
      // Month and minute have one name, so that their order matters.
      const columns = isDateFirst || "mm" in ofDay || "h" in ofDay ? { ...date, ...ofDay } : { ...ofDay, ...date };
      fc.pre(Object.keys(columns).length === Object.keys(date).length + Object.keys(ofDay).length);
      // Columns of an export beside others do not make it one.
      const all = isOfStation ? { station_id: () => "KALL", ...columns } : columns;
      const found = await read(textOf({ columns: all, separator, times, damaged: new Map() }));
      expect(found).toMatchObject({ times });
      expect((found as Shown).notes.slice(1).filter(isOther)).toEqual([]);
    }),
  );
});

const written = (ms: number, order: string, mark: string, isShort: boolean): string => {
  const year = parts(ms).year.slice(isShort ? 2 : 0);
  return [...(order === "day" ? [day(ms), two(parts(ms).month)] : [two(parts(ms).month), day(ms)]), year].join(mark);
};

it("dates with the year last are read as they were written, or asked for", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 8_000 }), { minLength: 2, maxLength: 8 }),
      fc.constantFrom("day", "month"),
      fc.constantFrom(".", "/", "-"),
      fc.boolean(),
      fc.constantFrom<Columns>({}, { Uhrzeit: (ms) => iso(ms).slice(11, 16) }, { ampm: clockOfTwelve }),
      fc.constantFrom("date", "Messdatum"),
      async (days, order, mark, isShort, ofDay, name) => {
        // Nobody writes dots behind the month before the day.
        fc.pre(order === "day" || mark !== "." || isShort);
        const dates = days.toSorted((a, b) => a - b).map((each) => START + each * DAY);
        // Several rows a day, which times of day tell apart.
        const hasClock = Object.keys(ofDay).length > 0;
        const times = hasClock ? dates.flatMap((ms) => [ms + 3_900_000, ms + 47_100_000]) : dates;
        const isJoined = "ampm" in ofDay;
        const date: Columns = {
          [name]: (ms) => written(ms, order, mark, isShort) + (isJoined ? ` ${clockOfTwelve(ms)}` : ""),
        };
        const columns = isJoined ? date : { ...date, ...ofDay };
        const found = await read(textOf({ columns, separator: ",", times, damaged: new Map() }));
        const isAsked = typeof found === "string" && found.includes("do not say which number is the day");
        // With a year of four digits, a day after the twelfth decides.
        const mayAsk =
          isShort || (mark !== "." && days.every((each) => new Date(START + each * DAY).getUTCDate() <= 12));
        expect(isAsked && mayAsk ? { times } : found).toMatchObject({ times });
      },
    ),
  );
});

it("a row whose time of day cannot be read is left out and counted, wherever it is", async () => {
  const damages = fc.uniqueArray(fc.tuple(fc.nat(39), fc.constantFrom(...UNREADABLE, "")), { selector: ([at]) => at });
  await fc.assert(
    fc.asyncProperty(tables, damages, async ({ date, ofDay, separator, times }, wanted) => {
      fc.pre(!Object.keys(ofDay).some((name) => name in date));
      const damaged = new Map(wanted.filter(([at, text]) => at < times.length && (separator !== " " || text !== "")));
      const kept = times.filter((_, i) => !damaged.has(i));
      fc.pre(times.slice(0, 8).some((_, i) => !damaged.has(i)));
      const found = await read(textOf({ columns: { ...date, ...ofDay }, separator, times, damaged }));
      const note = `Lines without a time that can be read are left out: ${damaged.size}.`;
      // Many damaged rows are no noise.
      const mayBeRefused = damaged.size >= 3 && 5 * damaged.size >= times.length;
      const isRefused = mayBeRefused && typeof found === "string" && found.includes("cannot be read as rows");
      const { times: left, notes } = found as Shown;
      expect(isRefused || [left, notes.slice(1).filter(isOther)]).toEqual(
        isRefused || [kept, damaged.size === 0 ? [] : [note]],
      );
    }),
  );
});

it("a table is refused if none of its times of day can be read, and not read at midnight", async () => {
  await fc.assert(
    fc.asyncProperty(tables, fc.constantFrom(...UNREADABLE), async ({ date, ofDay, separator, times }, text) => {
      fc.pre(!Object.keys(ofDay).some((name) => name in date));
      const damaged = new Map(times.map((_, i) => [i, text]));
      expect(await read(textOf({ columns: { ...date, ...ofDay }, separator, times, damaged }))).toMatch(
        /cannot be read/,
      );
    }),
  );
});

it.each([
  ["24:00", "date,time,ztd_mm\n2026-10-10,23:30,2001\n2026-10-10,24:00,2002\n"],
  ["2400", "date hhmm ztd_mm\n20261010 2330 2001\n20261010 2400 2002\n"],
  ["hour 24", "date,hour,minute,ztd_mm\n2026-10-10,23,30,2001\n2026-10-10,24,0,2002\n"],
  ["second 86400", "year,doy,seconds,ztd_mm\n2026,283,84600,2001\n2026,283,86400,2002\n"],
  ["24:00 of a date with its time", "time,ztd_mm\n2026-10-10T23:30Z,2001\n2026-10-10T24:00:00Z,2002\n"],
])("the end of a day is the start of the next one: %s", async (_, text) => {
  expect(await read(text)).toMatchObject({ times: [Date.UTC(2026, 9, 10, 23, 30), Date.UTC(2026, 9, 11)] });
});

it.each([
  ["yydoy and hhmm", "site yydoy hhmm ztd_mm\nKALL 26283 2330 2001\nKALL 26284 0000 2002\n", "2026-10-10T23:30"],
  ["yyyyddd", "yyyyddd,ztd_mm\n2026283,2001\n2026284,2002\n", "2026-10-10"],
  ["h between numbers", "Date;Heure;ztd_mm\n13/10/2026;06 h 30;2001\n13/10/2026;07 h 00;2002\n", "2026-10-13T06:30"],
  ["ddmmyy", "ddmmyy,hhmm,ztd_mm\n091026,2330,2001\n101026,0000,2002\n", "2026-10-09T23:30"],
  ["ddmmyy as numbers", "ddmmyy,ztd_mm\n91026,2001\n101026,2002\n", "2026-10-09"],
  ["yy_mm_dd", "yymmdd,hhmmss,ztd_mm\n261010,233000,2001\n261011,0,2002\n", "2026-10-10T23:30"],
  ["hours named utc", "year,month,day,utc,ztd_mm\n2026,10,10,6,2001\n2026,10,10,12,2002\n", "2026-10-10T06:00"],
])("a name that states the format of its fields is understood: %s", async (_, text, first) => {
  expect(await read(text)).toMatchObject({ times: [Date.parse(`${first.padEnd(16, "T00:00")}Z`), expect.anything()] });
});

it.each([
  [
    ["0", "003000", "013000"],
    [0, 0.5, 1.5],
  ],
  [
    ["0", "003", "013"],
    [0, 0.5, 1.5],
  ],
  [
    ["0", "125", "25"],
    [0, 3, 6],
  ],
  [["0", "125"], []],
] as const)(
  "decimals of a date are times of day if they may all be, and two are not guessed: %s",
  async (decimals, hours) => {
    const rows = decimals.map((each, i) => `20261010.${each},${2_001 + i}\n`);
    const found = await read(`time,ztd_mm\n${rows.join("")}`);
    const times = typeof found === "string" && found.includes("cannot be read") ? [] : (found as Shown).times;
    expect(times).toEqual(hours.map((hour) => Date.UTC(2026, 9, 10, 0, 60 * hour)));
  },
);

it.each([
  "month,year,pwv_mm\n10,2026,12\n11,2026,13\n",
  "yyyymm,pwv_mm\n202610,12\n202611,13\n",
  "month,pwv_mm\n2026-10,12\n2026-11,13\n",
])("months begin at their first day, which a note says: %s", async (text) => {
  const found = (await read(text)) as Shown;
  expect(found.times).toEqual([Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1)]);
  expect(found.notes.join(" ")).toMatch(/Months have no day/);
});

it("a month and a year beside days under another name are no time", async () => {
  expect(await read("year,month,d,ztd_mm\n2026,10,1,2001\n2026,10,2,2002\n")).toMatch(/^undecided/);
});

it("GPS weeks that started again from 0 are no times of 1986", async () => {
  expect(await read("week,tow,station,ztd_mm\n351,345600,KALL,2400\n351,345900,KALL,2401\n")).toMatch(/cannot be read/);
});

it("dates of other centuries than those of measurements are no times", async () => {
  for (const [name, first] of [
    ["time", 1_767_225],
    ["date", 17_670_813],
    ["mjd", 120],
    ["julian_date", 21_326],
  ] as const)
    expect(await read(`${name},station,ztd_mm\n${first},KALL,2400\n${first + 1},KALL,2401\n`)).toMatch(
      /cannot be read/,
    );
});

it("times of some rows without an offset, and ends of intervals, are named in a note", async () => {
  const mixed = (await read("time,ztd_mm\n2026-10-10T00:00:00,2001\n2026-10-10T02:10:00+02:00,2002\n")) as Shown;
  expect(mixed.times).toEqual([Date.UTC(2026, 9, 10), Date.UTC(2026, 9, 10, 0, 10)]);
  expect(mixed.notes[0]).toMatch(/without an offset/);
  const ends = (await read("period_end,ztd_mm\n2026-10-10T00:00Z,2001\n2026-10-10T01:00Z,2002\n")) as Shown;
  expect(ends.notes).toContain("The times in “period_end” are the ends of intervals.");
});

it("parts of a date that is told otherwise are no series", async () => {
  const found = await read("time,Year,Month,Day,ztd_mm\n2026-10-10,2026,10,10,2001\n2026-10-11,2026,10,11,2002\n");
  expect(found).toMatchObject({ variables: ["ztd"] });
});

it.each([
  ["minutes without hours", "date,minute,ztd_mm\n2026-10-10,5,2001\n2026-10-10,10,2002\n", "minute"],
  ["digits of unknown format", "date,time,ztd_mm\n2026-10-10,5,2001\n2026-10-10,1200,2002\n", "time"],
  ["another text", "date,epoch,ztd_mm\n2026-10-10,first,2001\n2026-10-10,second,2002\n", "epoch"],
])("a time of day that cannot be understood is named: %s", async (_, text, name) => {
  expect(await read(text)).toMatch(new RegExp(`times of this table cannot be read, .* in the column “${name}”`));
});

it("a note names the columns of the time that is used, with one of its rows", async () => {
  const text = "date,time,timestamp,ztd_mm\n2026-10-10,06:05,2026-11-01T06:05:00Z,2001\n";
  const found = (await read(text)) as Shown;
  expect(found.times).toEqual([Date.UTC(2026, 9, 10, 6, 5)]);
  expect(found.notes).toContain("Times are read from “date”, “time”: “2026-10-10 06:05” is 2026-10-10T06:05:00.");
});

it("a date with its time of day is used before the same date without it, and before an hour", async () => {
  const text = "date,hour,time,ztd_mm\n2026-10-10,6,2026-10-10T06:05Z,2001\n2026-10-10,6,2026-10-10T06:10Z,2002\n";
  const found = (await read(text)) as Shown;
  expect(found.times).toEqual([Date.UTC(2026, 9, 10, 6, 5), Date.UTC(2026, 9, 10, 6, 10)]);
});
