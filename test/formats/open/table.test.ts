import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openSeriesFile } from "#formats/open/index.ts";

const folder = mkdtempSync(join(tmpdir(), "zenith-table-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const START = Date.UTC(2026, 0, 31, 6, 30);

interface Read {
  readonly labels: readonly string[];
  readonly variables: readonly (string | null)[];
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly notes: readonly string[];
  readonly position: unknown;
}

async function read(text: string, name = "table.txt"): Promise<Read | string> {
  const path = join(folder, name);
  writeFileSync(path, text);
  const opened = await openSeriesFile(path);
  if (!opened.ok) return opened.error.message;
  const { series, notes } = opened.value;
  const rows = opened.value.rows(
    Math.max(
      0,
      series.findIndex((one) => one.quantity.variable === "ztd"),
    ),
  );
  const answer = {
    labels: series.map((s) => s.label),
    variables: series.map((s) => s.quantity.variable),
    times: [...rows.timesMs],
    values: [...rows.values],
    notes,
    position: series[0]!.position,
  };
  opened.value.close();
  return answer;
}

const TIMES = [START, START + 1_800_000];
const VALUES = [2_345.6, 2_346.5];

describe("a table of text", () => {
  it.each([
    ["commas", "time,station,ZTD (mm)\n2026-01-31T06:30:00Z,KALL,2345.6\n2026-01-31 07:00,KALL,2346.5\n"],
    ["Excel in German", 'Time;Site;"ZTD [m]"\r\n2026-01-31 06:30;"KALL";2,3456\r\n2026-01-31 07:00;"KALL";2,3465\r\n'],
    ["tabs", "station\tdate\ttime\tztd_mm\nKALL\t2026/01/31\t06:30\t2345.6\nKALL\t20260131\t0700\t2346.5\n"],
    [
      "blanks, names in a comment",
      "# made by hand\n# site year doy sod ztd\n\nKALL 2026 31 23400 2345.6\n KALL  2026  031  25200  2346.5\n",
    ],
    ["parts of a date", "stat yyyy q mo dd hh mi ztd_m\nKALL 2026 0 1 31 6 30 2.3456\nKALL 2026 0 1 31 7 0 2.3465\n"],
    ["modified Julian dates", "mjd,code,ztd\n61071.270833333336,KALL,2345.6\n61071.291666666664,KALL,2346.5\n"],
    ["epochs as in SINEX", "epoch;station;ztd_mm\n2026:031:23400;KALL;2345.6\n2026:031:25200;KALL;2346.5\n"],
    ["seconds since 1970", "unix_time,station,ztd_mm\n1769841000,KALL,2345.6\n1769842800,KALL,2346.5\n"],
  ])("is read by the names of its columns: %s", async (_, text) => {
    const found = await read(text);
    expect(found).toMatchObject({ labels: expect.arrayContaining(["KALL"]), times: TIMES });
    const { values, variables } = found as Read;
    expect(variables).toContain("ztd");
    expect(values.map((value) => Math.round(value * 10) / 10)).toEqual(VALUES);
  });

  it("says what it assumed, and keeps columns that it does not know", async () => {
    const found = (await read("time,ztd,temperature\n2026-01-31T06:30Z,2.3456,-3.5\n", "Kallio north.csv")) as Read;
    expect(found).toMatchObject({ labels: ["Kallio north", "Kallio north"], variables: ["ztd", null] });
    expect(found.notes).toContain("A table separated by commas; times are taken as UTC.");
    expect(found.notes).toContain("ztd has no unit: its values are taken as m.");
  });

  it("takes signs of no value for none, counts what is no number, and leaves out what has no time", async () => {
    const rows = ["KALL,2026-01-31,2345", "KALL,2026-02-01,-999.9", "KALL,2026-02-02,NaN", "KALL,2026-02-03,x"];
    const found = (await read(["site,date,ztd_mm", ...rows, "KALL,yesterday,1", "short"].join("\n") + "\n")) as Read;
    expect(found.values).toEqual([2_345, Number.NaN, Number.NaN, Number.NaN]);
    expect(found.notes).toContain("Fields that are not numbers are shown as missing: 1.");
    expect(found.notes).toContain("Lines without a time that can be read are left out: 1.");
    expect(found.notes).toContain("Lines with another number of fields than the first one are left out: 1.");
  });

  it("keeps the place of a station, and names with separators in quotes", async () => {
    const found = await read(
      'time,station,lat,lon,height,pwv_mm\n2026-01-31,"Kallio, ""north""",60.18,355.5,23.4,9.1\n',
    );
    expect(found).toMatchObject({
      labels: ['Kallio, "north"'],
      variables: ["pwv"],
      position: { latitudeDeg: 60.18, longitudeDeg: -4.5, height: 23.4, heightReference: null },
    });
  });

  it.each([
    ["no names", "2026-01-31,1\n2026-02-01,2\n"],
    ["dates that begin with the day", "date,ztd\n31.01.2026,2345\n"],
    ["no numbers", "time\n2026-01-31\n"],
    ["prose", "Dear colleague,\nthe time has come.\n"],
  ])("is refused with what would help: %s", async (_, text) => {
    expect(await read(text)).toMatch(/Give it a first line such as/);
  });
});
