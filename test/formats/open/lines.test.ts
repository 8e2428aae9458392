import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../tools.ts";
import { shown } from "./support.ts";

// Each line of a table is a row, or is counted; a table of which many lines are lost is refused.

const folder = scratchFolder();
const HOURS = Array.from({ length: 12 }, (_, hour) => String(hour).padStart(2, "0"));
const HEADING = "time,station,remark,ztd_mm\n";

/** @param text of an hour */
const rows = (text: (hour: string, at: number) => string): string => HOURS.map((hour, at) => text(hour, at)).join("");
const row = (hour: string, remark: string): string => `2026-06-15T${hour}:00Z,KALL,${remark},2401\n`;
/** @param at rows with another text */
const someAs = (at: readonly number[], text: (hour: string) => string): string =>
  HEADING + rows((hour, i) => (at.includes(i) ? text(hour) : row(hour, "ok")));

it.each<readonly [string, string, number]>([
  ["a quotation mark that none ends", someAs([2], (hour) => row(hour, '"tape')), 12],
  ["two of them", someAs([2, 7], (hour) => row(hour, '"tape')), 12],
  [
    "two of them that look like one field",
    someAs([2], (hour) => row(hour, '"a')).replace(/ok(?=,2401\n.*T04)/, 'b"'),
    12,
  ],
  ["a remark of several lines", someAs([2], (hour) => row(hour, '"a\nb, c"')), 12],
  [
    "line ends of all kinds",
    someAs([], String)
      .replace(/(T0[135].*)\n/g, "$1\r")
      .replace(/(T0[246].*)\n/g, "$1\r\n"),
    12,
  ],
  [
    "rows that end before the last column",
    `time,ztd_mm,remark\n${rows((hour, at) => `2026-06-15T${hour}:00Z,2401${at === 0 ? ",start" : ""}\n`)}`,
    12,
  ],
  ["some lines with another number of columns", someAs([5, 6], (hour) => row(hour, "a,b")), 10],
])("a table with %s has its rows", async (_, text, count) => {
  const found = await shown(join(folder, "a.csv"), text);
  if (typeof found === "string") throw new Error(found);
  expect(found.labels).toHaveLength(1);
  expect(found.times).toHaveLength(count);
  expect(found.values).not.toContain(Number.NaN);
});

it.each<readonly [string, string]>([
  [
    "have a date in the first row alone",
    `date,time,ztd_mm\n${rows((hour, at) => `${at === 0 ? "2026-06-15" : ""},${hour}:00,2401\n`)}`,
  ],
  ["have another separator", someAs([5, 6, 7], (hour) => row(hour, "ok").replaceAll(",", ";"))],
  ["have another number of columns", someAs([5, 6, 7], (hour) => row(hour, "a,b"))],
])("a table is refused if many rows %s", async (_, text) => {
  expect(await shown(join(folder, "a.csv"), text)).toMatch(
    /^unreadable: \d+ lines of this table cannot be read as rows, such as/,
  );
});

it.each(["TIMESTAMP,VARCHAR(9),TEXT,DOUBLE", "xsd:dateTime,xsd:string,xsd:string,xsd:double", "20d,5s,9s,14n"])(
  "types below the names of columns are no row and no other table: %s",
  async (types) => {
    const found = await shown(join(folder, "a.csv"), someAs([], String).replace("\n", `\n${types}\n`));
    expect(found).toMatchObject({ labels: ["KALL"], units: ["mm"] });
    expect(found).not.toMatchObject({ notes: expect.arrayContaining([expect.stringContaining("left out")]) });
  },
);
