import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ChosenColumn } from "#shared/file/columns.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { scratchFolder } from "../tools.ts";
import { shown } from "./support.ts";

// Each word that the program prints for a file that asks, given back, opens it without a wrong value.

const folder = scratchFolder();

/** The first rows that are right, of each series: `KALL ztd mm 2026-03-01T00:05 2400.5`. */
type Right = readonly string[];

/** Follows all words of a file, also those printed after an answer, and returns what they lead to. */
async function answers(path: string, columns: readonly ChosenColumn[] = []): Promise<string[]> {
  const options = columns.length === 0 ? undefined : { columns: { columns, noValue: null } };
  const opened = await openSeriesFile(path, options);
  if (opened.ok) {
    opened.value.close();
    const found = await shown(path, null, options);
    return typeof found === "string" ? [found] : [...found.first];
  }
  const { kind, message, choices = [] } = opened.error;
  if (choices.length === 0) return [`${kind}: ${message}`];
  const all = choices.map((choice) => {
    // A word that leads to its own question is of no use.
    expect(columns).not.toContainEqual(choice);
    return answers(path, [...columns.filter(({ column }) => column !== choice.column), choice]);
  });
  return (await Promise.all(all)).flat();
}

const rows = (heading: string, ...lines: readonly string[]): string => `${heading}\n${lines.join("\n")}\n`;
const ztd = (time: string, unit = "mm", value = 2400.5): string => `KALL ztd ${unit} ${time} ${value}`;
const at = (name: string, times: readonly string[]): string =>
  rows(`${name},station,ztd_mm`, ...times.map((time, i) => `${time},KALL,${2400.5 + i}`));
const of = (heading: string, ...values: readonly (string | number)[]): string =>
  rows(`time,station,${heading}`, ...values.map((value, i) => `2026-10-01T00:0${i}:00Z,KALL,${value}`));
const CLOCK = ["2026-10-13 12:00:00", "2026-10-13 12:05:00"];
const sinex = (system: string, units: string, values: string): string => `%=TRO 2.00 A 2026:001:00000
+TROP/DESCRIPTION
 TROPO PARAMETER NAMES TROTOT STDDEV
 TROPO PARAMETER UNITS ${units}
 TIME SYSTEM ${system}
-TROP/DESCRIPTION
+TROP/SOLUTION
 KALL 2026:001:00000 ${values}
-TROP/SOLUTION
%=ENDTRO
`;

const FILES: readonly (readonly [name: string, text: string, right: Right])[] = [
  [
    "days or months first",
    at("date", ["05/06/2026", "06/06/2026"]),
    [ztd("2026-06-05T00:00"), ztd("2026-05-06T00:00")],
  ],
  ["days of two digits", at("Date", ["13.10.26", "14.10.26"]), [ztd("2026-10-13T00:00")]],
  ["an unnamed date", at("Data", ["2026/01/01", "2026/01/02"]), [ztd("2026-01-01T00:00")]],
  [
    "an unnamed date and clock times in UTC",
    rows("Data;Hora UTC;ztd_mm", "2026/01/01;0000 UTC;2400.5", "2026/01/01;0100 UTC;2401"),
    ["table ztd mm 2026-01-01T00:00 2400.5"],
  ],
  ["CET", at("time (CET)", CLOCK), [ztd("2026-10-13T11:00"), ztd("2026-10-13T10:00")]],
  ["EST", at("time EST", CLOCK), [ztd("2026-10-13T17:00"), ztd("2026-10-13T02:00")]],
  ["GLONASS time", at("time (GLONASST)", CLOCK), [ztd("2026-10-13T09:00"), ztd("2026-10-13T12:00")]],
  ["local time", at("local_time", CLOCK), []],
  [
    "two scales",
    `# GPS time minus leap seconds, i.e. UTC\n${at("time", CLOCK)}`,
    [ztd("2026-10-13T12:00"), ztd("2026-10-13T11:59:42")],
  ],
  [
    "a zone behind the time",
    at(
      "Timestamp",
      CLOCK.map((time) => `${time} EET`),
    ),
    [ztd("2026-10-13T10:00"), ztd("2026-10-13T09:00")],
  ],
  ["seconds since 1970", at("t", ["1767225600", "1767225900"]), [ztd("2026-01-01T00:00")]],
  ["seconds since 2000", at("sec_j2000", ["820497600", "820497900"]), []],
  ["days of Excel", at("Date", ["46023.5", "46023.75"]), [ztd("2026-01-01T12:00"), ztd("1984-11-19T12:00")]],
  ["a day number", at("day", ["1", "2", "3"]), []],
  ["weeks", at("date", ["2026-W01", "2026-W02"]), []],
  [
    "the start, middle and end",
    rows(
      "start,mid,end,station,ztd_mm",
      "2026-10-13 00:00,2026-10-13 00:30,2026-10-13 01:00,KALL,2400.5",
      "2026-10-13 01:00,2026-10-13 01:30,2026-10-13 02:00,KALL,2401",
    ),
    [ztd("2026-10-13T00:00"), ztd("2026-10-13T00:30")],
  ],
  [
    "two stations",
    rows("time,site4,site9,ztd_mm", "2026-10-01,KALL,KALL00FIN,2400.5", "2026-10-01,MAST,MAST00FIN,2390"),
    [
      ztd("2026-10-01T00:00"),
      "MAST ztd mm 2026-10-01T00:00 2390",
      "KALL00FIN ztd mm 2026-10-01T00:00 2400.5",
      "MAST00FIN ztd mm 2026-10-01T00:00 2390",
    ],
  ],
  ["mm or cm", of("pwv", 2.3, 4.5), ["KALL pwv mm 2026-10-01T00:00 2.3", "KALL pwv mm 2026-10-01T00:00 23"]],
  [
    "metres called mm",
    of("ZTD_mm", 2.4044, 2.4051),
    [ztd("2026-10-01T00:00", "mm", 2404.4), "KALL ZTD mm 2026-10-01T00:00 2.4044"],
  ],
  ["an unknown unit", of("PWV (mm x10)", 43, 51), ["KALL PWV mm x10 2026-10-01T00:00 43"]],
  ["tenths without a unit", of("ztd", 24044, 24051), ["KALL ztd null 2026-10-01T00:00 24044"]],
  [
    "an uncertainty in another unit than its value",
    of("ztd_mm,ztd_sigma", "2404.4,0.0012", "2405,0.0013"),
    [
      ztd("2026-10-01T00:00", "mm", 2404.4),
      "KALL ztd_sigma mm 2026-10-01T00:00 1.2",
      "KALL ztd_sigma null 2026-10-01T00:00 0.0012",
    ],
  ],
  [
    "SINEX_TRO in GLONASS time",
    sinex("GLO", "1e+03 1e+03", "2404.4 1.2"),
    ["2025-12-31T21:00", "2026-01-01T00:00"].flatMap((time) => [
      ztd(time, "mm", 2404.4),
      `KALL ztd_sigma mm ${time} 1.2`,
    ]),
  ],
  [
    "SINEX_TRO in another unit than it states",
    sinex("UTC", "1 1", "2404.4 1.2"),
    [
      ztd("2026-01-01T00:00", "mm", 2404.4),
      "KALL TROTOT m 2026-01-01T00:00 2404.4",
      ...["mm 2026-01-01T00:00 1.2", "mm 2026-01-01T00:00 12"].map((text) => `KALL ztd_sigma ${text}`),
      "KALL TROTOT_STDDEV m 2026-01-01T00:00 1.2",
    ],
  ],
  [
    "SINEX_TRO in tenths of mm",
    sinex("UTC", "1e+03 1e+04", "2404.4 12"),
    [ztd("2026-01-01T00:00", "mm", 2404.4), "KALL ztd_sigma mm 2026-01-01T00:00 1.2"],
  ],
  [
    "a column that is no station",
    rows("date,slot,ztd_mm", "2026-10-01,0,2400.5", "2026-10-01,1,2401"),
    ["table ztd mm 2026-10-01T00:00 2400.5"],
  ],
];

it.each(FILES)("%s", async (name, text, right) => {
  const path = join(folder, name.startsWith("SINEX") ? "words.tro" : "table.csv");
  writeFileSync(path, text);
  const found = await answers(path);
  const opened = found.filter((each) => !each.includes(": "));
  expect(right).toEqual(expect.arrayContaining([...new Set(opened)]));
  expect(opened.length > 0).toBe(right.length > 0);
});
