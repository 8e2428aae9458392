import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openService } from "../support/openService.ts";
import { makeHome } from "./program.ts";
import { IS_GATE } from "../support/endurance.ts";
import { describeUnless, WINDOWS_LACKS } from "../support/needs.ts";

const KEY = { ZENITH_API_KEY: "demo-key" };
const FETCH = ["fetch", "Torsvika", "--month", "2026-09"];

/** Permissions of group and others on all files in a folder. */
function modesIn(folder: string): Record<string, number> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(names.map((name) => [name, statSync(join(folder, name)).mode & 0o077]));
}

function allPrivate(folder: string): Record<string, number> {
  return Object.fromEntries(Object.keys(modesIn(folder)).map((name) => [name, 0]));
}

const service = await openService();

describeUnless(WINDOWS_LACKS, "files in the data folder", () => {
  it.each(IS_GATE ? ["000"] : ["000", "022", "077"])("are private to the owner with umask %s", async (umask) => {
    const home = makeHome();
    const folder = join(home.folder, "home");
    expect(await home.run(["connect", service.url, "--name", "trial"], { env: KEY, umask })).toMatchObject({
      code: 0,
    });
    // A killed program leaves its write-ahead logs.
    await home.run([...FETCH, "--json"], {
      umask,
      onStderr: (soFar, child) => void (soFar.includes('"progress"') && child.kill("SIGKILL")),
    });
    const names = Object.keys(modesIn(folder));
    for (const wanted of [
      /^user\.db$/,
      /^user\.db\.backup/,
      /^cache-.*\.db$/,
      /^cache-.*\.db-wal$/,
      /^cache-.*-shm$/,
      /^claims\.db$/,
    ])
      expect(names).toContainEqual(expect.stringMatching(wanted));
    expect(modesIn(folder)).toEqual(allPrivate(folder));
    expect(statSync(folder).mode & 0o777).toBe(0o700);

    // Permissions that another tool gave to files are revoked; those of the folder stay, which may be shared on purpose.
    for (const name of names) chmodSync(join(folder, name), name === "keys" ? 0o777 : 0o644);
    chmodSync(folder, 0o755);
    for (const name of names.filter((n) => n.endsWith(".key"))) chmodSync(join(folder, name), 0o600);
    expect(await home.run(["jobs"])).toMatchObject({ code: 0 });
    expect(modesIn(folder)).toEqual(allPrivate(folder));
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });
});
