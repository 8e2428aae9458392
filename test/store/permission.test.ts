import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openUserStore } from "#main/store/index.ts";
import { temporaryFolders } from "../support/folder.ts";
import { describeUnless, WINDOWS_LACKS } from "../support/needs.ts";

const OPENER = join(import.meta.dirname, "openedByAnother.ts");
/** Root opens the folder as another user; any other user opens it without permissions. */
const isRoot = process.getuid?.() === 0;

describeUnless(WINDOWS_LACKS, "a data folder", () => {
  const folder = temporaryFolders();
  let parent: string;
  beforeEach(() => {
    parent = folder();
    openUserStore(join(parent, "data", "user.db")).close();
    for (const folder of [parent, join(parent, "data")]) chmodSync(folder, 0o777);
    for (const name of readdirSync(join(parent, "data"))) chmodSync(join(parent, "data", name), 0o666);
  });
  afterEach(() => chmodSync(join(parent, "data"), 0o700));

  function openedByAnother(): string {
    // With paths from its working folder, the folders above need no permissions.
    return execFileSync(process.execPath, [OPENER, "data"], { cwd: parent, encoding: "utf8" }).trim();
  }

  it.each([
    ["itself", "data", "folder"],
    ["its database", "data/user.db", "file"],
    ["the lock of its database", "data/user.db-lock", "file"],
  ])("is refused with its owner if the user may not read %s", (_what, closed, kind) => {
    chmodSync(join(parent, closed), 0o000);
    const reason = isRoot
      ? `This ${kind} belongs to root, and you may not read it. Change its owner (chown), or choose a data folder of your own.`
      : `The permissions of this ${kind} do not let you read it: change them (chmod).`;
    expect(openedByAnother()).toBe(`StoreError: ${closed}: ${reason}`);
  });
});
