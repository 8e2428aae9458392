import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { scratchFolder } from "../support/folder.ts";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openBrowser } from "#main/cli/browser.ts";
import { childEnvironment, keyVariables, withoutSessionBus } from "#main/program.ts";
import { describeUnless } from "../support/needs.ts";

const KEY = "key-5f1c0a9e77d24b";

describe("the environment of child processes", () => {
  it("contains neither the key in any variable nor variables of the app, and keeps all others", () => {
    const env = {
      ZENITH_API_KEY: ` ${KEY}\n`,
      MY_KEY: KEY,
      ARGS: `--key=${KEY}`,
      ZENITH_HOME: "/z",
      PATH: "/bin",
      EMPTY: "",
    };
    expect(childEnvironment(env)).toEqual({ PATH: "/bin", EMPTY: "" });
    // A command of an installation has no bus, but the programs that it starts have it.
    for (const bus of [{ DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus" }, {}]) {
      const own: NodeJS.ProcessEnv = { ...bus };
      withoutSessionBus(own);
      expect(own["DBUS_SESSION_BUS_ADDRESS"]).toBe("disabled:");
      expect(childEnvironment(own)).toEqual(bus);
    }
    expect(keyVariables(env).toSorted()).toEqual(["ARGS", "MY_KEY", "ZENITH_API_KEY"]);
    // An empty key is a substring of every text.
    expect(childEnvironment({ ZENITH_API_KEY: " ", PATH: "/bin" })).toEqual({ PATH: "/bin" });
    expect(keyVariables({ PATH: "/bin" })).toEqual([]);
  });
});

describeUnless(
  process.platform === "linux" ? null : "only Linux opens a browser through xdg-open",
  "the opened browser",
  () => {
    let folder = "";
    const before = { ...process.env };
    beforeEach(() => void (folder = scratchFolder()));
    afterEach(() => {
      process.env = { ...before };
    });

    it("receives the link in a file that only its owner can read, and no key", async () => {
      const out = join(folder, "seen");
      writeFileSync(
        join(folder, "xdg-open"),
        `#!/bin/sh\n{ echo "$@"; env; } > "${out}.part"; mv "${out}.part" "${out}"\n`,
      );
      chmodSync(join(folder, "xdg-open"), 0o700);
      process.env["PATH"] = `${folder}:${before["PATH"]}`;
      process.env["ZENITH_API_KEY"] = KEY;
      process.env["SOME_KEY"] = KEY;
      const link = "http://127.0.0.1:1/#link=once";
      const tidy = openBrowser(link, folder);
      await expect.poll(() => existsSync(out), { timeout: 10_000 }).toBe(true);
      const seen = readFileSync(out, "utf8");
      expect(seen).not.toContain(KEY);
      expect(seen).not.toContain("link=");
      expect(seen).toContain("open.html");
      expect(statSync(join(folder, "open.html")).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(folder, "open.html"), "utf8")).toContain(link);
      tidy();
      expect(existsSync(join(folder, "open.html"))).toBe(false);
    });
  },
);
