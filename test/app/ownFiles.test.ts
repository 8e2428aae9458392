import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { scratchFolder } from "../support/folder.ts";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OwnFiles } from "#main/app/storage/ownFiles.ts";

const root = realpathSync(scratchFolder());
const data = join(root, "data");
mkdirSync(join(data, "keys"), { recursive: true });
mkdirSync(join(data, "exports", "1"), { recursive: true });
mkdirSync(join(root, "disk"));
for (const name of ["user.db", "cache-a.db", "keys/a.key"]) writeFileSync(join(data, name), "");
writeFileSync(join(root, "disk", "moved.db"), "");
symlinkSync(join(data, "user.db"), join(root, "week.csv"));
symlinkSync(data, join(root, "other-spelling"));
const record = { name: "", baseUrl: "", createdAtMs: 0, kind: "service" } as const;
const users = {
  connections: () => [
    { ...record, id: "a", cacheFile: "cache-a.db" },
    { ...record, id: "b", cacheFile: join(root, "disk", "moved.db") },
  ],
};
const ownFiles = new OwnFiles(users, data);

describe("files of the app", () => {
  it.each([
    ["the connections", "data/user.db"],
    ["their backup", "data/user.db.backup-2026-10-01T00-00-00-000Z"],
    ["a log that does not exist yet", "data/user.db-wal"],
    ["a cache", "data/cache-a.db"],
    ["a damaged file", "data/cache-a.db.damaged-2026-11-22"],
    ["a key", "data/keys/a.key"],
    ["the link to a running window", "data/web.json"],
    ["a cache that was moved", "disk/moved.db"],
    ["its lock", "disk/moved.db-lock"],
    ["by a symbolic link", "week.csv"],
    ["by another spelling of the folder", "other-spelling/user.db"],
  ])("are not replaced by an export: %s", async (_, path) => {
    await expect(ownFiles.assertNotOurs(join(root, path))).rejects.toThrow("Zenith Desk keeps its own data there");
  });

  it.each(["week.nc", "data/week.csv", "data/exports/1/user.db", "disk/other.db", "not/there.csv"])(
    "do not restrict other paths: %s",
    async (path) => {
      await expect(ownFiles.assertNotOurs(join(root, path))).resolves.toBeUndefined();
    },
  );

  it("reserve their names, because SQLite would take a moved cache for the log of another database", () => {
    for (const name of "data/user.db-journal disk/other.db-wal data/keys/a data/exports/a.db data/claims.db".split(" "))
      expect(() => ownFiles.assertCachePathAllowed(join(root, name))).toThrow("Choose another one");
    for (const name of ["data/cache-a.db", "data/big.db", "disk/new.db", "not/there.db"])
      expect(() => ownFiles.assertCachePathAllowed(join(root, name))).not.toThrow();
  });
});
