import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../tools.ts";
import { mustShow, shown } from "./support.ts";

// Times of day are those of their date, in the scale that their row or their column states.

const folder = scratchFolder();
const path = join(folder, "a.csv");

const clocks = (...hours: readonly number[]): string =>
  `date,time,ztd_mm\n${hours.map((hour) => `2026-06-15,${hour}:00,2401\n`).join("")}`;

it.each([
  ["12-hour clock", clocks(9, 10, 11, 12, 1, 2), "“12:00” to “1:00”"],
  ["clock that passes midnight", clocks(21, 22, 23, 0, 1), "“23:00” to “0:00”"],
])("a %s under one date is asked about, and its answer is that it is right", async (_, text, words) => {
  expect(await shown(path, text)).toMatch(`go on from ${words} under one date`);
  const columns = { columns: [{ column: "time", role: "clock", unit: null } as const], noValue: null };
  expect(await shown(path, text, { columns })).toMatchObject({ labels: ["a"] });
});

it.each([
  ["rows in no order", clocks(12, 13, 6, 7)],
  ["rows in descending order", clocks(3, 2, 1, 0)],
  [
    "rows that are 47 hours apart, and then 35",
    "date,time,ztd_mm\n2026-06-15,0:00,2401\n2026-06-16,23:00,2401\n2026-06-18,22:00,2401\n2026-06-20,9:00,2401\n",
  ],
  [
    "stations below each other",
    `site,date,time,ztd_mm\n${["KALL", "ZUGS"].flatMap((site) => [21, 22, 23].map((hour) => `${site},2026-06-15,${hour}:00,2401\n`)).join("")}`,
  ],
])("nothing is asked about the clock times of %s", async (_, text) => {
  await expect(shown(path, text)).resolves.toMatchObject({ variables: expect.arrayContaining(["ztd"]) });
});

it("the date of an e-mail has its difference from UTC", async () => {
  const rows = [0, 1].map((hour) => `"Mon, 15 Jun 2026 0${hour}:00:00 +0200",2401\n`).join("");
  expect((await mustShow(path, `time,ztd_mm\n${rows}`)).times[0]).toBe(Date.UTC(2026, 5, 14, 22));
});

it("a time in UTC is used before a local one, also if a line break of HTML is behind its name", async () => {
  const rows = [0, 1].map((hour) => `2026-06-15 0${hour + 3}:00:00,2401,2026-06-15 0${hour}:00:00\n`).join("");
  expect((await mustShow(path, `Time,ztd_mm,DateUTC<br>\n${rows}`)).times[0]).toBe(Date.UTC(2026, 5, 15));
});
