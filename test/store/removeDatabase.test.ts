import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { removeDatabase } from "#main/store/index.ts";

const folder = mkdtempSync(join(tmpdir(), "zenith-remove-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a database goes after its logs: whatever stops that, what is left can be found again by its name", () => {
  const path = join(folder, "cache.db");
  const logs = [`${path}-wal`, `${path}-shm`];
  // What cannot be deleted stands for a kill before the last step.
  mkdirSync(path);
  for (const log of logs) writeFileSync(log, "log");
  expect(removeDatabase(path)).toBe(false);
  expect([path, ...logs].map(existsSync)).toEqual([true, false, false]);
  rmSync(path, { recursive: true });
  writeFileSync(path, "database");
  expect(removeDatabase(path)).toBe(true);
  expect(existsSync(path)).toBe(false);
});
