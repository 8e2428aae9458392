import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { makeHome } from "./program.ts";
import { gateShare } from "../support/endurance.ts";
import { itUnless, WINDOWS_LACKS } from "../support/needs.ts";

/** Two rows in consecutive months with unknown column names, the day first and a decimal comma. */
function namelessRows(day: number): string {
  return `wann;wo;trop\n0${day}/02/2026;KALL;2,3456\n0${day}/03/2026;KALL;-1\n`;
}

/** A table with one row of a day in January 2026. */
function ofDay(day: number): Buffer {
  return Buffer.from(`station_id,time,ztd_mm\r\na,2026-01-0${day}T00:00:00Z,2400\r\n`);
}

describe("zenith open", () => {
  const home = makeHome();
  const file = (name: string, text: string): string => {
    writeFileSync(join(home.folder, name), text);
    return name;
  };
  const rows = [
    "a,2026-01-01T00:00:00Z,2400.5",
    "a,2026-01-01T00:00:30Z,",
    `"evil \u001b[31m",2026-01-01T00:00:00Z,2401`,
  ];
  const good = file("good one.csv", `station_id,time,ztd_mm\r\n${rows.join("\r\n")}\r\n`);
  const bad = file("bad.nc", "CDF\u0001");

  it("describes a file without control characters", async () => {
    const { code, stdout } = await home.run(["open", good]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/good one\.csv: CSV, \d+ bytes, 2 series\n/);
    expect(stdout).toMatch(/^a +ztd +mm +2 +2026-01-01T00:00:00Z +2026-01-01T00:00:30Z$/m);
    expect(stdout).toContain("evil ");
    expect(stdout).not.toContain("\u001b");
  });

  it("describes a file as JSON, and exits with 3 if another one cannot be read", async () => {
    const { files } = await home.json<{ files: object[] }>(["open", good, bad], 3);
    expect(files).toMatchObject([
      {
        format: "csv",
        name: good,
        notes: [],
        series: [
          { label: "a", station_id: "a", rows: 2, first: "2026-01-01T00:00:00Z", last: "2026-01-01T00:00:30Z" },
          { rows: 1 },
        ],
      },
    ]);
  });

  it("describes a folder as one file, and one of its files separately", async () => {
    mkdirSync(join(home.folder, "days:2026"));
    for (const day of [1, 2])
      file(`days:2026/${day}.csv`, `station_id,time,ztd_mm\r\na,2026-01-0${day}T00:00:00Z,2400\r\n`);
    const { files } = await home.json<{ files: object[] }>(["open", "days:2026", "days:2026:2.csv"]);
    expect(files).toMatchObject([
      { name: "days:2026", series: [{ rows: 2, first: "2026-01-01T00:00:00Z", last: "2026-01-02T00:00:00Z" }] },
      { name: "days:2026", series: [{ rows: 1, first: "2026-01-02T00:00:00Z" }] },
    ]);
  });

  it("exits with 3 if a file in an archive or a folder is damaged, and with 0 if it is no data", async () => {
    const files = { "1.csv": ofDay(1), "2.csv": ofDay(2) };
    const more = {
      "README.txt": Buffer.from("Read this first.\n"),
      "map.png": Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    };
    const intact = Buffer.from(zipSync({ ...files, ...more }, { level: 0 }));
    writeFileSync(join(home.folder, "intact.zip"), intact);
    const flipped = Buffer.from(intact);
    flipped[intact.indexOf("2026-01-02")]! ^= 1;
    writeFileSync(join(home.folder, "flipped.zip"), flipped);
    mkdirSync(join(home.folder, "mixed"));
    for (const [name, bytes] of Object.entries({ ...more, "1.csv": ofDay(1) }))
      writeFileSync(join(home.folder, "mixed", name), bytes);

    expect(await home.json(["open", "intact.zip", "mixed"])).toMatchObject({ files: [{ unread_files: [] }, {}] });
    expect(await home.json(["open", "flipped.zip"], 3)).toMatchObject({ files: [{ unread_files: ["2.csv"] }] });
    writeFileSync(join(home.folder, "mixed", "2.nc"), "CDF\u0001");
    expect(await home.json(["open", "mixed"], 3)).toMatchObject({ files: [{ unread_files: ["2.nc"] }] });
  });

  it("reads a table with unknown column names as specified, and later tables with the same names", async () => {
    const first = file("first.txt", namelessRows(1));
    const second = file("second.txt", namelessRows(2));
    const refused = await home.run(["open", first]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Write --column "wann=day-first"')]);
    const words = "--column wann=day-first --column 2=station --column trop=ztd:m --missing-value=-1".split(" ");
    for (const args of [
      ["open", first, ...words],
      ["open", second],
    ])
      expect(await home.json(args)).toMatchObject({
        files: [{ series: [{ label: "KALL", rows: 2, quantity: { variable: "ztd", unit: "mm" } }] }],
      });
    for (const [word, message] of gateShare([
      ["wann", "Write NAME=ROLE"],
      ["wann=when", "Choose one of none, time, day-first"],
      ["trop=ztd:inch", "“inch” is not a unit of ztd"],
      ["trop=height:cm", "A unit is only for ztd"],
    ] as const)) {
      const { code, stderr } = await home.run(["open", first, "--column", word]);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    }
  });

  it("asks for roles only where they tell the times, and for zones as the question says", async () => {
    const zone = await home.run(["open", file("zone.csv", "local_time,pwv_mm\n2026-03-01 00:05,12.5\n")]);
    expect([zone.code, zone.stderr]).toEqual([
      2,
      expect.stringMatching(/“local_time=time:UTC\+5:30”.* Write it with --column\./),
    ]);
    const dates = await home.run(["open", file("dates.txt", "2026 03 01 00 2400.5\n2026 03 01 01 2401\n")]);
    expect([dates.code, dates.stderr]).toEqual([2, expect.stringContaining('--column "Column 1=ROLE"')]);
    const sounding = await home.run(["open", file("sounding.txt", "PRES TEMP\n1000 8.1\n950 5.2\n900 2.1\n")]);
    expect([sounding.code, sounding.stderr]).toEqual([6, expect.not.stringContaining("--column")]);
  });

  it("exits with 6 and messages if no file can be read", async () => {
    const { code, stdout, stderr } = await home.run(["open", bad, "gone.nc"]);
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr).toMatch(/bad\.nc: This NetCDF file is incomplete/);
    expect(stderr).toMatch(/gone\.nc does not exist\./);
  });

  itUnless(WINDOWS_LACKS, "rejects a pipe and a device without waiting", async () => {
    const pipe = join(home.folder, "pipe.nc");
    execFileSync("mkfifo", [pipe]);
    const ended = await home.run(["open", pipe, "/dev/zero"]);
    expect(ended).toMatchObject({ code: 6, stdout: "", stderr: expect.stringMatching(/pipe.*zero/s) });
  });
});
