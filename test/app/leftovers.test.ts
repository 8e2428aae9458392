import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { scratchFolder } from "../support/folder.ts";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { sweepDataFolder } from "#main/app/storage/ownFiles.ts";
import { lockFolder } from "#main/store/index.ts";

const HOUR_MS = 3_600_000;
let data = "";
beforeEach(() => void (data = scratchFolder()));
/** Creates an exported file for download of this age. */
function offered(ageMs: number): string {
  const folder = join(data, "exports", `of ${ageMs}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "week.csv"), "rows");
  const seconds = (Date.now() - ageMs) / 1_000;
  utimesSync(folder, seconds, seconds);
  return folder;
}

describe("files that a killed window offered for download", () => {
  it("are deleted within an hour by the next process", () => {
    // No process has such a large id.
    writeFileSync(join(data, "open.pid"), "99999999\n");
    const [old, fresh] = [offered(HOUR_MS), offered(60_000)];
    sweepDataFolder(data);
    expect([old, fresh].map((path) => existsSync(path))).toEqual([false, true]);
    sweepDataFolder(data, Date.now() + HOUR_MS);
    expect(existsSync(fresh)).toBe(false);
  });

  it("are kept while the window runs", () => {
    const releaseFolder = lockFolder(data);
    const old = offered(HOUR_MS);
    sweepDataFolder(data);
    expect(existsSync(join(old, "week.csv"))).toBe(true);
    releaseFolder();
  });
});
