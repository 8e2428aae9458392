import { expect, it } from "vitest";
import { openTrial } from "./trial.ts";

const DAY = ["--day", "2026-10-05", "--vars", "ztd"];
const { home } = await openTrial(["fetch", "Torsvika", ...DAY]);

/** The rows of a table by the names of its columns. */
async function csv(...words: string[]): Promise<Record<string, string>[]> {
  const { stdout } = await home.run([...words, "--csv"]);
  const [head = [], ...rows] = stdout
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i] ?? ""])));
}

it("tables have numbers without marks, times with their zone, and units in the names of columns", async () => {
  const { stations } = await home.json<{
    stations: { id: string; longitude_deg: number; resolution_seconds: number }[];
  }>(["stations", "--offline"]);
  const rows = await csv("stations", "--offline", "--columns", "id,lon,every,latest");
  const west = stations.find((station) => station.longitude_deg < 0)!;
  const row = rows.find(({ id }) => id === west.id)!;
  expect([Number(row["lon_deg"]), Number(row["every_s"])]).toEqual([west.longitude_deg, west.resolution_seconds]);
  for (const { latest } of rows) expect(latest).toMatch(/^(\d{4}-\d\d-\d\dT[\d:.]+Z)?$/);
  const sizes = await home.json<{ stations: { total_bytes: number; bytes: { ztd: number } }[] }>(["cache", "stations"]);
  const [kept] = sizes.stations;
  expect(await csv("cache", "stations")).toMatchObject([
    { size_bytes: String(kept!.total_bytes), ztd_bytes: String(kept!.bytes.ztd) },
  ]);
});

it("availability is a table too, and knows the days whose observations are cached", async () => {
  expect(await csv("availability", "Torsvika", ...DAY)).toMatchObject([
    { with_data: "1", unknown: "0", not_cached: "0", first_day: "2026-10-05" },
  ]);
});

it.each([
  [["stations", "--data-folder", ""]],
  [["group", "add", "", "Torsvika"]],
  [["schedule", "add", " ", "Torsvika", "--daily", "06:30"]],
  [["export", "Torsvika", ...DAY, "--out", ""]],
])("a word that is empty is refused: %j", async (words) => {
  expect(await home.run(words)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("is empty") });
});
