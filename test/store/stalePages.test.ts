import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Reading, readTwice, overwrite, PAGE_BYTES, random, twoMoments } from "./corrupt.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";
import { temporaryFolders } from "./folder.ts";

const folder = temporaryFolders();
/** All pages and many pairs in the endurance run. */
const isWhole = IS_ENDURANCE;
const DEADLINE_MS = isWhole ? 1_800_000 : 60_000;

function moments() {
  const place = folder();
  mkdirSync(place);
  const files: Buffer[] = [];
  const stations = twoMoments(place, (path) => void files.push(readFileSync(path)));
  return { stations, files, last: files.at(-1)! };
}

/** Opens the last file after a change. */
function after(last: Buffer, stations: readonly string[], harm: (path: string) => void): Reading {
  const place = folder();
  mkdirSync(place);
  const path = join(place, "cache.db");
  writeFileSync(path, last);
  harm(path);
  return readTwice(path, stations);
}

function tally(all: readonly Reading[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of all) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

describe("a disk with stale pages", () => {
  test("gives right rows and complete coverage with any one page", { timeout: DEADLINE_MS }, () => {
    const { stations, files, last } = moments();
    const sound = after(last, stations, () => {});
    expect(sound.outcome).toBe("intact");
    const met: Reading[] = [];
    for (const [moment, old] of files.slice(0, -1).entries()) {
      const pages = Math.min(old.length, last.length) / PAGE_BYTES;
      for (let page = 0; page < pages; page++) {
        const at = page * PAGE_BYTES;
        const before = old.subarray(at, at + PAGE_BYTES);
        if (before.equals(last.subarray(at, at + PAGE_BYTES))) continue;
        if (!isWhole && (page + moment) % 3 !== 0) continue;
        met.push(after(last, stations, (path) => overwrite(path, at, before)));
      }
    }
    if (isWhole) console.log("single stale pages", met.length, tally(met));
    expect(met.length).toBeGreaterThan(5);
    expect(tally(met)["repaired"]).toBeGreaterThan(0);
  });

  test("gives right rows and complete coverage with several pages", { timeout: DEADLINE_MS }, () => {
    const { stations, files, last } = moments();
    const next = random(12);
    const met: Reading[] = [];
    const runs = isWhole ? 2_000 : 8;
    for (let run = 0; run < runs; run++) {
      const old = files[Math.floor(next() * (files.length - 1))]!;
      const pages = Math.min(old.length, last.length) / PAGE_BYTES;
      const picked = Array.from({ length: 2 + Math.floor(next() * 3) }, () => Math.floor(next() * pages));
      met.push(
        after(last, stations, (path) => {
          for (const page of picked)
            overwrite(path, page * PAGE_BYTES, old.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
        }),
      );
    }
    if (isWhole) console.log("several stale pages", met.length, tally(met));
    expect(met).toHaveLength(runs);
    expect(tally(met)["repaired"]).toBeGreaterThan(0);
  });
});

describe("a disk with changed data", () => {
  test("gives right rows with flipped bits, and keeps most of them", { timeout: DEADLINE_MS }, () => {
    const { stations, last } = moments();
    const sound = after(last, stations, () => {}).days;
    const next = random(5);
    const met: Reading[] = [];
    for (let run = 0; run < (isWhole ? 500 : 20); run++) {
      const at = Math.floor(next() * last.length);
      const bit = 1 << Math.floor(next() * 8);
      met.push(after(last, stations, (path) => overwrite(path, at, Uint8Array.of(last[at]! ^ bit))));
    }
    if (isWhole) console.log("flipped bits", met.length, tally(met));
    const kept = met.filter(({ outcome }) => outcome === "repaired" || outcome === "intact");
    expect(kept.length / met.length).toBeGreaterThan(0.8);
    const days = kept.reduce((sum, one) => sum + one.days, 0) / kept.length;
    expect(days / sound).toBeGreaterThan(0.9);
  });

  test.each([
    ["zeroed", (bytes: Buffer, at: number) => bytes.fill(0, at, at + PAGE_BYTES)],
    [
      "copied from another page",
      (bytes: Buffer, at: number) => (bytes.copy(bytes, at, 2 * PAGE_BYTES, 3 * PAGE_BYTES), bytes),
    ],
    ["cut off", (bytes: Buffer, at: number) => bytes.subarray(0, at)],
  ])("gives right rows with pages %s", { timeout: DEADLINE_MS }, (name, harm) => {
    const { stations, last } = moments();
    const next = random(3);
    const pages = last.length / PAGE_BYTES;
    const tries = isWhole ? pages : 4;
    const met = Array.from({ length: tries }, (_, i) => {
      const page = isWhole ? i : Math.floor(next() * pages);
      return after(last, stations, (path) => writeFileSync(path, harm(Buffer.from(last), page * PAGE_BYTES)));
    });
    if (isWhole) console.log("pages", name, met.length, tally(met));
    expect(met.length).toBe(tries);
  });

  test("gives right rows with the log of another moment", { timeout: DEADLINE_MS }, () => {
    const { stations, files, last } = moments();
    const place = folder();
    mkdirSync(place);
    const path = join(place, "cache.db");
    for (const old of files) {
      writeFileSync(path, old);
      copyFileSync(path, `${path}-wal`);
      expect(readTwice(path, stations).outcome).toBe("intact");
    }
    expect(last.length).toBeGreaterThan(0);
  });
});
