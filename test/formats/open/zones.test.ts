import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ChosenColumns, type ColumnRole, unitFor } from "#shared/file/columns.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { scratchFolder } from "../tools.ts";
import { shown } from "./support.ts";

// What a file states about the scale or the zone of its times is understood or asked about, never ignored.

const folder = scratchFolder();
const CLOCK = "2026-01-13 12:00:00";

/** The first time of a text, or what it asks. */
async function first(text: string, columns?: ChosenColumns["columns"]): Promise<string> {
  const found = await shown(join(folder, "table.csv"), text, columns ? { columns: { columns, noValue: null } } : {});
  return typeof found === "string" ? found : formatUtc(found.times[0]!).slice(11, 19);
}

function named(heading: string): string {
  return `"${heading}",ztd_mm\n${CLOCK},2400.5\n2026-01-13 12:05:00,2401\n`;
}

const below = (comment: string): string => `# ${comment}\n${named("time")}`;

describe("a stated zone", () => {
  it.each([
    ...["Time, GMT+02:00", "Date Time, GMT+02:00", "Time GMT+02:00", "Time UTC+2", "UTC+02:00", "time_utc+2"].map(
      (name) => [named(name), "10:00:00"],
    ),
    [named("Date/Time GMT-7"), "19:00:00"],
    [named("Time (UTC offset +2)"), "10:00:00"],
    [named("time (UTC-03:30)"), "15:30:00"],
    [named("time (local standard time, UTC+2)"), "10:00:00"],
    [named("time (Europe/Helsinki)"), "10:00:00"],
    [named("Time, hh:mm:ss"), "12:00:00"],
    [named("time (start of interval)"), "12:00:00"],
    [named("time (yyyy-mm-dd hh:mm)"), "12:00:00"],
    [named("time (UTC start of the interval)"), "12:00:00"],
    [named("time [GPS]"), "11:59:42"],
    [named("time (GST)"), "11:59:42"],
    [named("galileo_time"), "11:59:42"],
    [named("epoch_bds"), "11:59:56"],
    [named("time (BDT)"), "11:59:56"],
    [named("time (TAI)"), "11:59:23"],
    [named("time (TT)"), "11:58:50"],
    [named("time (UT1)"), "12:00:00"],
    [named("Heure (TU)"), "12:00:00"],
    [named("time (Etc/GMT-2)"), "10:00:00"],
    [named("time (JST)"), "03:00:00"],
    [named("time EST"), "17:00:00"],
    [named("Zeit MESZ"), "10:00:00"],
    [named("timestamp_cest"), "10:00:00"],
    [below("All times JST"), "03:00:00"],
    [named("Time (MSK)").replaceAll("2026", "2013"), "08:00:00"],
    ...["timezone: Etc/GMT-2", "UTC offset: +02:00", "GMT offset: 2", "utc_offset_hours = 2", "TZ=+02:00"].map(
      (text) => [below(text), "10:00:00"],
    ),
    ...[
      "UTC plus 2 hours",
      "time offset from UTC: 120",
      "Zone: +02:00",
      "Timezone offset: +2",
      "UTC offset (h): 2",
    ].map((text) => [below(text), "10:00:00"]),
    [below("Times are UTC minus 5.5 hours"), "17:30:00"],
    [below("times are UTC, not local time"), "12:00:00"],
    [below("Epochs converted from GPST to UTC (18 s removed)"), "12:00:00"],
    [below("Times are GPS time, not UTC"), "11:59:42"],
    [below("Time: GPS time (no leap seconds applied)"), "11:59:42"],
    [below("Tiempo universal coordinado"), "12:00:00"],
    [below("Climate zone: 2"), "12:00:00"],
    [below("Datum und Uhrzeit, Zeitreihe der Verzögerung"), "12:00:00"],
    [below("Heure de début: 2026-01-13"), "12:00:00"],
    ...["ZTD of TSKB (JST)", "TSKB [JST]", "JST"].map((text) => [below(text), "03:00:00"]),
    [below("Station K - times in PST"), "20:00:00"],
    [`Timestamp,Station,ZTD (mm)\n${CLOCK} EST,KALL,2400.5\n`, "17:00:00"],
    [`time,tz,ztd_mm\n${CLOCK},EDT,2400.5\n2026-01-13 13:05:00,EST,2401\n`, "16:00:00"],
    [below("Times: UTC+1 (winter time)"), "11:00:00"],
    [below("All times are given in local time (LT = UTC + 2 h)"), "10:00:00"],
    [below("Data in LST (UTC+9)"), "03:00:00"],
    [below("All epochs refer to GPS system time."), "11:59:42"],
    [below("Time system: UTC (not GPS time)"), "12:00:00"],
    [below("Created at 2026-02-01 10:00 UTC+3"), "12:00:00"],
    ["wk,s,ztd_mm\n2401,216000,2400.5\n2401,216300,2401\n", "11:59:42", "wk=gpsWeek", "s=secondOfWeek"],
    [`time,ztd_mm\n${CLOCK} UTC+2,2400.5\n`, "10:00:00"],
    [`time,time_system,ztd_mm\n${CLOCK},GPS,2400.5\n`, "11:59:42"],
    [`time,where,ztd_mm\n${CLOCK},Europe/Paris,2400.5\n`, "11:00:00"],
    [`time,ztd_mm\n${CLOCK}+01:00[Europe/Paris],2400.5\n`, "11:00:00"],
    [`time,ztd_mm\n${CLOCK}[Europe/Paris],2400.5\n`, "11:00:00"],
    [`time,ztd_mm\n${CLOCK} GPS,2400.5\n`, "11:59:42"],
  ])("is understood: %s", async (text, utc, ...words) => {
    expect(await first(text ?? "", words.length > 0 ? words.map(chosen) : undefined)).toBe(utc);
  });

  const ASKED = [
    ...["CET", "MEZ", "time CST", "time (IST)", "time_glonass", "time (GLONASST)"].map(named),
    ...["ZTD of TSKB (CET)", "TSKB [BST]", "CST"].map(below),
    ...["To get UTC subtract 2 h", "Time offset to UTC: +2 h", "Times are 2 hours ahead of UTC"].map(below),
    ...[
      "GPS time corrected for leap seconds",
      "Times are not in UTC",
      "All times local",
      "local",
      "ora locale",
      "GPS-UTC = 18 s",
      "Station local time is UTC+3; times below are UTC",
      "hours from UTC: -5",
      "times are Beijing time",
    ].map(below),
    ...["Heures locales", "Zeitangaben: Ortszeit", "時刻は日本標準時", "北京时间", "Время московское"].map(below),
    ...["Horário de Brasília", "Tijden in lokale tijd", "Uhrzeit Berlin", "местное время"].map(below),
    ...["time (GPS - 18 s)", "hora_brasilia", "tokyo_time"].map(named),
    ...["Time (Eastern)", "time (local standard)", "time (lokal)", "Ortszeit", "heure locale"].map(named),
    ...["time (hora local)", "Uhrzeit (Winterzeit)", "time [solar]", "Tid(norsk normaltid)"].map(named),
    ...["All times in CET", "Alle Zeiten in MEZ", "Station K - times in CST", "time system: GLO"].map(below),
    ...["gnss_time", "GNSS Epoch"].map(named),
    ...["dst", "Is DST"].map((name) => `time,${name},ztd_mm\n${CLOCK},1,2400.5\n2026-01-13 12:05:00,1,2401\n`),
    `time,ztd_mm\n${CLOCK},2400.5\n2026-01-13 12:05:00,2401\n\nTime zone: CET\n`,
    `time,ztd_mm\nhh:mm (CET),mm\n${CLOCK},2400.5\n`,
    `time,ztd_mm\n${CLOCK} EET,2400.5\n`,
    `time,ztd_mm\n${CLOCK},2400.5\n2026-01-13 12:05:00,2401\n# Times are in CET\n`,
    `Timestamp,Station,ZTD (mm)\n${CLOCK} CST,KALL,2400.5\n`,
    `time,offset_minutes,ztd_mm\n${CLOCK},-420,2400.5\n2026-01-13 12:05:00,-420,2401\n`,
    `time,Zone,ztd_mm\n${CLOCK},IST,2400.5\n2026-01-13 12:05:00,IST,2401\n`,
    `time,tz,ztd_mm\n${CLOCK},CET,2400.5\n2026-01-13 12:05:00,CEST,2401\n`,
  ];

  it.each(ASKED)("is asked for: %s", async (text) => {
    expect(await first(text)).toMatch(/^undecided: The times in /);
  });

  it.each(ASKED)("can be answered, with each word that is offered: %s", async (text) => {
    const path = join(folder, "asked.csv");
    await shown(path, text);
    const opened = await openSeriesFile(path);
    const choices = opened.ok ? [] : (opened.error.choices ?? []);
    for (const choice of choices) expect(await first(text, [choice])).toMatch(/^\d\d:\d\d:\d\d$/);
    const heading = text.startsWith("Timestamp") ? "Timestamp" : "time";
    const column = text.startsWith('"') ? text.slice(1, text.indexOf('"', 1)) : heading;
    for (const unit of ["UTC+5:30", "Asia/Kolkata"])
      expect(await first(text, [{ column, role: "time", unit }])).toBe("06:30:00");
  });
});

function chosen(word: string): ChosenColumns["columns"][number] {
  const [column = "", role = ""] = word.split("=");
  return { column, role: role as ColumnRole, unit: null };
}

it("a zone is given on any column of the time", async () => {
  const text = "date,clock,ztd_mm\n2026-01-13,12:00,2400.5\n2026-01-13,12:05,2401\n";
  for (const [column, role] of [
    ["clock", "clock"],
    ["date", "time"],
  ] as const)
    expect(await first(text, [{ column, role, unit: "UTC-03:30" }])).toBe("15:30:00");
});

it("hours that the clocks of a zone show twice or never are left out, and counted", async () => {
  const rows = ["2026-03-29 03:30", "2026-10-25 02:30", "2026-10-25 03:30", "2026-10-25 04:00"];
  const text = `time (Europe/Helsinki),ztd_mm\n${rows.map((row, i) => `${row},${2400.5 + i}\n`).join("")}`;
  expect(await shown(join(folder, "dst.csv"), text)).toMatchObject({
    times: [Date.UTC(2026, 9, 24, 23, 30), Date.UTC(2026, 9, 25, 2)],
    notes: expect.arrayContaining([expect.stringMatching(/twice or never.*: 2\.$/)]),
  });
});

it.each([
  ["UTC+5:30", "UTC+5:30"],
  ["utc-03:30", "UTC-3:30"],
  ["+02:00", "UTC+2"],
  ["europe/helsinki", "Europe/Helsinki"],
  ["gps", "GPS"],
  ["UTC+5:3", null],
  ["Europe/Nowhere", null],
])("the zone %s is %s", (text, unit) => {
  expect(unitFor("clock", text)).toBe(unit);
});

describe("parts of a time", () => {
  it.each([
    ["GPS Week,TOW (ms),ztd_mm\n2401,216000000,2400.5\n2401,216300000,2401\n", "11:59:42"],
    ["GPS Week,TOW [0.001 s],ztd_mm\n2401,216000000,2400.5\n2401,216300000,2401\n", "11:59:42"],
    ["date,sod_ms,ztd_mm\n2026-01-13,43200000,2400.5\n2026-01-13,43500000,2401\n", "12:00:00"],
    ["date,time (s),ztd_mm\n2026-01-13,43200,2400.5\n2026-01-13,43500,2401\n", "12:00:00"],
    ["YYYY,DDD,SSSSS,ztd_mm\n2026,013,43200,2400.5\n2026,013,43500,2401\n", "12:00:00"],
    ["date,minute of day,ztd_mm\n2026-01-13,720,2400.5\n2026-01-13,725,2401\n", "12:00:00"],
    ["year,doy,minutes,ztd_mm\n2026,13,720,2400.5\n2026,13,725,2401\n", "12:00:00"],
    ["date,Hour,Min of obs,ztd_mm\n2026-01-13,12,30,2400.5\n2026-01-13,13,0,2401\n", "12:30:00"],
    ["date,hour,minute of hour,ztd_mm\n2026-01-13,12,30,2400.5\n2026-01-13,13,0,2401\n", "12:30:00"],
    ["date,time,ztd_mm\n2026-01-13,12:05a,2400.5\n2026-01-13,1:10p,2401\n", "00:05:00"],
    ["date,time,ztd_mm\n2026-01-13,1205 UTC,2400.5\n2026-01-13,1310 UTC,2401\n", "12:05:00"],
    ["date,time,ztd_mm\n2026-01-13,1205Z,2400.5\n2026-01-13,1310Z,2401\n", "12:05:00"],
    ['time,ztd_mm\n"Tue, 13 Jan 2026 12:00:00 GMT",2400.5\n', "12:00:00"],
    ["time,ztd_mm\nTue Jan 13 12:00:00 UTC 2026,2400.5\n", "12:00:00"],
    ["time,ztd_mm\n2026-1-13 12:0:00,2400.5\n2026-1-13 12:5:00,2401\n", "12:00:00"],
    ["Fecha;Hora;ZTD (mm)\n13/01/2026;12:05 p. m.;2400,5\n13/01/2026;01:05 p. m.;2401\n", "12:05:00"],
    ["aika;ZTD (mm)\n13.1.2026 klo 8.05;2400,5\n13.1.2026 klo 9.05;2401\n", "08:05:00"],
    ['time,ztd_mm\n"Jan 13, 2026 @ 08:05:00.000",2400.5\n', "08:05:00"],
    ["interval,ztd_mm\n2026-01-13T08:05Z/2026-01-13T09:05Z,2400.5\n", "08:05:00"],
    ["Time,ztd_mm\n1768305900000,2400.5\n1768306200000,2401\n", "12:05:00"],
    ["ts,ztd_mm\n1768305900,2400.5\n1768306200,2401\n", "12:05:00"],
    ["time_ns,ztd_mm\n1768305900000000000,2400.5\n1768306200000000000,2401\n", "12:05:00"],
    [
      "TIMESTAMP_START,TIMESTAMP_END,ztd_mm\n202601130805,202601130905,2400.5\n202601130905,202601131005,2401\n",
      "08:05:00",
    ],
    ["year,ztd_mm\n2026.5,2400.5\n2026.6,2401\n", "12:00:00"],
    ["# STN,YYYYMMDD,   HH,    P\n#\n  260,20260113,   12,10031\n  260,20260113,   13,10032\n", "12:00:00"],
  ])("are read: %s", async (text, utc) => {
    expect(await first(text)).toBe(utc);
  });

  it("are days under a name that says so, without the zeros at their end", async () => {
    const found = await shown(
      join(folder, "days.txt"),
      "YYYY.DDD ZTD_mm\n2026.010 2400.5\n2026.02 2401\n2026.021 2402\n",
    );
    expect(found).toMatchObject({ times: [10, 20, 21].map((day) => Date.UTC(2026, 0, day)) });
  });

  it("since 1970 are asked for if they may be GPS seconds", async () => {
    expect(await first("time,ztd_mm\n1452340800,2400.5\n1452341100,2401\n")).toMatch(/since 1970/);
  });

  it.each(["349190600", "1790812800"])("since 1970 are not offered for the number of a station: %s", async (id) => {
    expect(await first(`no,n\n${id},1\n${id},2\n`)).not.toMatch(/1970|unixTime/);
  });

  it("since 1970 are asked for beside a zone", async () => {
    const text = "# Timezone: Europe/Helsinki\nts,ztd_mm\n1768305900,2400.5\n1768306200,2401\n";
    expect(await first(text)).toMatch(/^undecided: .* UTC by its start in 1970/);
  });

  it("have the unit that the user says", async () => {
    const text = "day,n,ztd_mm\n2026-01-13,43200000,2400.5\n2026-01-13,43500000,2401\n";
    const columns = [
      { column: "day", role: "time", unit: null },
      { column: "n", role: "secondOfDay", unit: "ms" },
    ] as const;
    expect(await first(text, columns)).toBe("12:00:00");
  });

  it("that cannot be read are no midnight, also beside a chosen date", async () => {
    const text = "date,time,ztd_mm\n2026-01-13,noon,2400.5\n2026-01-14,late,2401\n";
    expect(await first(text)).toMatch(/^undecided: The times of this table cannot be read, such as “noon”[^=]*$/);
    expect(await first(text, [chosen("date=time")])).toMatch(/^unreadable: The times of day in “time”, such as “noon”/);
  });
});

function blocks(name: string, hour: string, other: string): string {
  return `${other},ztd_mm,${name},pwv_mm\n${CLOCK},2400.5,2026-01-13 ${hour}:00:00,10\n2026-01-13 12:05:00,2401,2026-01-13 ${hour}:05:00,11\n`;
}

describe("a second column of times", () => {
  it.each([
    ["Time.1", "Time"],
    ["time_2", "time"],
    ["Time (2)", "Time"],
    ["Datum2", "Datum"],
    ["time_mwr", "time_gnss"],
    ["date_time_met", "date_time"],
  ])("between values is asked about, and never ignored: %s", async (name, other) => {
    const text = blocks(name, "18", other);
    const gps = other === "time_gnss" ? [{ column: other, role: "time", unit: "GPS" } as const] : [];
    expect(await first(text)).toContain(`“${name}” tells other times than “${other}”`);
    expect(await first(text, [{ column: name, role: "none", unit: null }, ...gps])).toMatch(/^1[12]:/);
  });

  it.each([
    ["time_2", "12", "time"],
    ["time_end", "18", "time_start"],
    ["time (UTC+6)", "18", "time (UTC)"],
  ])("that tells the same time or an end is not asked about: %s", async (name, hour, other) => {
    expect(await first(blocks(name, hour, other))).toBe("12:00:00");
  });

  it("of another station can be left out", async () => {
    const text =
      "time_KALL,ztd_KALL_mm,time_ZUGS,ztd_ZUGS_mm\n2026-01-13 12:00,2400.5,2026-01-13 18:00,1700\n2026-01-13 12:05,2401,2026-01-13 18:05,1701\n";
    const time = { column: "time_KALL", role: "time", unit: null } as const;
    expect(await first(text, [time])).toContain("“time_ZUGS” tells other times than “time_KALL”");
    expect(await first(text, [time, { column: "time_ZUGS", role: "none", unit: null }])).toBe("12:00:00");
  });
});
