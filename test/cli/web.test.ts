import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { builtApp } from "../support/build.ts";
import { type Home, makeHome, SCRIPT } from "./program.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

describe("zenith web", () => {
  let home: Home;
  beforeAll(() => {
    builtApp();
    home = makeHome();
  });
  afterAll(() => home.remove());

  /** The running command, and the first piece of its stdout. */
  async function started(args: readonly string[]): Promise<{ child: ChildProcess; said: string }> {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", SCRIPT, "web", ...args], {
      env: { ...process.env, ZENITH_HOME: join(home.folder, "home"), DISPLAY: ":99" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    return { child, said: String(said) };
  }

  it("prints an address that opens the built page, and ends in order", async () => {
    const { child, said } = await started(["--json"]);
    const { url, link } = JSON.parse(said) as { url: string; link: string };
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
    expect(link.startsWith(`${url}/?`)).toBe(true);
    const welcome = await fetch(link, { redirect: "manual" });
    const cookie = welcome.headers.get("set-cookie")?.split(";")[0] ?? "";
    const page = await fetch(url, { headers: { cookie } });
    expect(await page.text()).toContain('<div id="root">');

    const second = await home.run(["web"]);
    expect(second).toMatchObject({ code: 6, stdout: "" });
    expect(second.stderr).toContain(`(process ${child.pid})`);
    expect(second.stderr).not.toContain("token");

    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
    // Nobody sits at a terminal here: no browser was to be opened.
    expect(existsSync(join(home.folder, "home", "open.html"))).toBe(false);
  });

  it("says the address in a line for people", async () => {
    const { child, said } = await started([]);
    expect(said).toMatch(/^Zenith Desk is at http:\/\/127\.0\.0\.1:\d+\/\?token=\S+\n$/);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("refuses an address that others can reach", async () => {
    const refused = await home.run(["web", "--host", "0.0.0.0"]);
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("SSH tunnel") });
  });
});
