import { readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { GrowingNumbers } from "#formats/open/collector/index.ts";
import { openSpool } from "#formats/open/collector/spool.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { mustSucceed, scratchFolder } from "../tools.ts";
import { gateCases } from "../../support/endurance.ts";

const folder = scratchFolder();

test("spooled numbers round-trip exactly, in parts of any size", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.double(), { maxLength: 50 }), { maxLength: 8 }), (parts) => {
      const spool = openSpool();
      const [kept, other] = [new GrowingNumbers(spool), new GrowingNumbers(spool)];
      for (const part of parts) {
        for (const value of part) kept.push(value);
        other.push(part.length);
        for (const column of [other, kept]) column.spool();
      }
      expect(kept.finish()).toEqual(Float64Array.from(parts.flat()));
      expect(other.finish()).toEqual(Float64Array.from(parts, (part) => part.length));
      spool.close();
    }),
    { numRuns: gateCases(50) },
  );
});

test("an open file keeps its numbers on the disk and removes them when it is closed", async () => {
  const path = join(folder, "two.csv");
  const hour = 3_600_000;
  const lines = Array.from(
    { length: 5_000 },
    (_, i) => `${i % 2 ? "a" : "b"},${new Date(i * hour).toISOString()},${i}`,
  );
  writeFileSync(path, ["station_id,time,ztd_mm", ...lines].join("\r\n"));
  const made = new Map<string, number>();
  const cache = {
    get: <T>(key: string, make: () => T): T => {
      made.set(key, (made.get(key) ?? 0) + 1);
      return make();
    },
    clear() {},
  };
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith("zenith-columns-")).length;
  const file = mustSucceed(await openSeriesFile(path, { cache }));
  expect(made.size).toBe(0);
  const { timesMs, values } = file.rows(1);
  expect(file.series[1]).toMatchObject({ stationId: "a", rows: 2_500 });
  expect(values).toEqual(Float64Array.from({ length: 2_500 }, (_, i) => 2 * i + 1));
  expect(timesMs).toEqual(values.map((i) => i * hour));
  // Without a cached copy, they are read again.
  expect(file.rows(1).values).toEqual(values);
  expect([...made.values()]).toEqual([2, 2, 2]);
  file.close();
  // Tests that run at the same time also create such folders for a moment.
  await expect
    .poll(() => readdirSync(tmpdir()).filter((name) => name.startsWith("zenith-columns-")).length)
    .toBe(before);
});
