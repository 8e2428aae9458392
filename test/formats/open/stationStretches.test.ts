import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../tools.ts";
import { mustShow } from "./support.ts";

// Stations one behind the other, whose times do not meet: nothing but what is beside or above their rows tells them apart.

const folder = scratchFolder();
const read = (text: string) => mustShow(join(folder, "table.csv"), text);

/** Four hours of a day. */
const HOURS = [0, 6, 12, 18];
const day = (date: number, row: (time: string, value: number) => string, first = 2_400): string =>
  HOURS.map((hour, i) => `${row(`2026-10-0${date}T${String(hour).padStart(2, "0")}:00`, first + i)}\n`).join("");

it.each([
  ["Ort", "Kallio", "Mast"],
  ["host", "KALL", "MAST"],
  ["x", "P041", "P042"],
])("are told apart by a column of texts that stays the same: %s", async (name, a, b) => {
  const rows = [a, b].map((id, i) => day(i + 1, (time, value) => `${time},${id},ok,${value}`));
  const { labels, all } = await read(`time,${name},flag,ztd_mm\n${rows.join("")}`);
  expect(labels).toEqual([a, b]);
  expect(all.map((values) => values.length)).toEqual([4, 4]);
});

it("are told apart by their places", async () => {
  const places = ["60.2,24.9", "47.4,11.0"].map((place, i) => day(i + 1, (time, value) => `${place},${time},${value}`));
  expect((await read(`lat,lon,time,ztd_mm\n${places.join("")}`)).labels).toEqual([
    "table lat 60.2, lon 24.9",
    "table lat 47.4, lon 11.0",
  ]);
});

it.each([
  ["KALL", "MAST"],
  ["### Kallio ###", "### Mast ###"],
  ["## KALL", "## MAST"],
  ['"Site Kallio, roof"', '"Site Mast, tower"'],
])("are told apart by the titles of their tables: %s", async (a, b) => {
  const tables = [a, b].map((title, i) => `${title}\ntime,ztd_mm\n${day(i + 1, (time, value) => `${time},${value}`)}`);
  const { labels, all } = await read(tables.join("\n"));
  expect(labels).toEqual([a, b].map((title) => title.replaceAll(/^[#" ]+|[#" ]+$/g, "")));
  expect(all.map((values) => values.length)).toEqual([4, 4]);
});

it.each([
  ["months", (i: number) => ["Oct", "Nov"][i]],
  ["names of daily files", (i: number) => `trop_2026100${i + 1}.csv`],
  ["flags that return", (_: number, hour: number) => (hour % 12 === 0 ? "good" : "poor")],
  ["remarks on single rows", (i: number, hour: number) => `remark ${"abcdefgh"[4 * i + hour / 6]}`],
])("are not what texts tell that follow the time, or change often: %s", async (_, textOf) => {
  const rows = [0, 1].map((i) =>
    day(i + 1, (time, value) => `${time},${textOf(i, Number(time.slice(11, 13)))},${value}`),
  );
  expect((await read(`time,text,ztd_mm\n${rows.join("")}`)).labels).toEqual(["table"]);
});

it.each([
  ["days above repeated headings", "# Day 1", "# Day 2", true],
  ["messages among the rows", "# started", "# power failed", false],
])("are not what comments tell that follow the time, or are of no heading: %s", async (_, a, b, isRepeated) => {
  const rows = [0, 1].map((i) => day(i + 1, (time, value) => `${time},${value}`));
  const text = `${a}\ntime,ztd_mm\n${rows[0]}${b}\n${isRepeated ? "time,ztd_mm\n" : ""}${rows[1]}`;
  expect((await read(text)).all.map((values) => values.length)).toEqual([8]);
});
