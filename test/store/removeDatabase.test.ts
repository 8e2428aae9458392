import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { removeDatabase } from "#main/store/index.ts";

const folder = mkdtempSync(join(tmpdir(), "zenith-remove-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("removeDatabase deletes the logs first, so that an interrupted deletion leaves the file with its name", () => {
  const path = join(folder, "cache.db");
  const logs = [`${path}-wal`, `${path}-shm`];
  // A file that cannot be deleted simulates a kill before the last step.
  mkdirSync(path);
  for (const log of logs) writeFileSync(log, "log");
  expect(removeDatabase(path)).toBe(false);
  expect([path, ...logs].map(existsSync)).toEqual([true, false, false]);
  rmSync(path, { recursive: true });
  writeFileSync(path, "database");
  expect(removeDatabase(path)).toBe(true);
  expect(existsSync(path)).toBe(false);
});
