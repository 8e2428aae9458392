import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeHome } from "./program.ts";
import { itUnless, WINDOWS_LACKS } from "../support/needs.ts";

describe("zenith open", () => {
  const home = makeHome();
  afterAll(() => home.remove());
  const file = (name: string, text: string): string => {
    writeFileSync(join(home.folder, name), text);
    return name;
  };
  const rows = ["a,2026-01-01T00:00:00Z,2400.5", "a,2026-01-01T00:00:30Z,", `"evil \u001b[31m",2026-01-01T00:00:00Z,1`];
  const good = file("good one.csv", `station_id,time,ztd_mm\r\n${rows.join("\r\n")}\r\n`);
  const bad = file("bad.nc", "CDF\u0001");

  it("describes a file for people, with nothing that a terminal would obey", async () => {
    const { code, stdout } = await home.run(["open", good]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/good one\.csv: CSV, \d+ bytes, 2 series\n/);
    expect(stdout).toMatch(/^a +ztd +mm +2 +2026-01-01T00:00:00Z +2026-01-01T00:00:30Z$/m);
    expect(stdout).toContain("evil ");
    expect(stdout).not.toContain("\u001b");
  });

  it("describes it for machines, beside one that cannot be read", async () => {
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

  it("says what is wrong and ends as a disk fault where nothing can be shown", async () => {
    const { code, stdout, stderr } = await home.run(["open", bad, "gone.nc"]);
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr).toMatch(/bad\.nc: This NetCDF file is incomplete/);
    expect(stderr).toMatch(/gone\.nc is not there\./);
  });

  itUnless(WINDOWS_LACKS, "does not wait for a pipe or a device", async () => {
    const pipe = join(home.folder, "pipe.nc");
    execFileSync("mkfifo", [pipe]);
    const ended = await home.run(["open", pipe, "/dev/zero"]);
    expect(ended).toMatchObject({ code: 6, stdout: "", stderr: expect.stringMatching(/pipe.*zero/s) });
  });
});
