import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shareWarning } from "#main/dataFolder.ts";

test("network shares are told by the type of their file system", () => {
  expect(shareWarning("/data/cache.db", () => 0x6969)).toContain("NFS");
  expect(shareWarning("/data/cache.db", () => 0xff534d42 | 0)).toContain("CIFS");
  expect(shareWarning("\\\\server\\share\\cache.db", () => 0)).toContain("network share");
  expect(shareWarning("/data/cache.db", () => 0xef53)).toBeNull();
  expect(shareWarning(join(tmpdir(), "not", "yet", "there"))).toBeNull();
});
