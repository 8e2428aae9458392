import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtApp } from "../support/build.ts";
import { makeHome, SCRIPT } from "./program.ts";

/** Signs in with a link, as a browser does; returns the secret, or null if the link is invalid. */
async function signIn(link: string): Promise<string | null> {
  const { origin, hash } = new URL(link);
  const headers = { origin, authorization: `Bearer ${hash.replace("#link=", "")}` };
  const answer = await fetch(`${origin}/shell/sign-in`, { method: "POST", headers });
  return answer.ok ? (await answer.text()).trim() : null;
}

describe("zenith web", () => {
  builtApp();
  const home = makeHome();

  /** Starts the command and waits for the first output. */
  async function started(
    args: readonly string[],
  ): Promise<{ child: ChildProcess; printed: string; errors: () => string }> {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", SCRIPT, "web", ...args], {
      env: { ...process.env, ZENITH_HOME: join(home.folder, "home"), DISPLAY: ":99" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (piece: Buffer) => (errors += String(piece)));
    const [printed] = (await once(child.stdout, "data")) as [Buffer];
    return { child, printed: String(printed), errors: () => errors };
  }

  it("prints no link without a terminal, creates one on request, revokes all with --sign-out, and exits with 0", async () => {
    const { child, printed, errors } = await started(["--json"]);
    const { url, link } = JSON.parse(printed) as { url: string; link: string | null };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(link).toBeNull();
    expect(await (await fetch(url)).text()).toContain('<div id="root">');

    const asked = await home.run(["web", "--link"]);
    expect(asked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#link=[\w-]{43}\n$/),
    });
    const secret = await signIn(asked.stdout.trim());
    expect(secret).not.toBeNull();
    expect(await signIn(asked.stdout.trim())).toBeNull();
    const machine = JSON.parse((await home.run(["web", "--link", "--json"])).stdout) as { url: string; link: string };
    expect(machine.link.startsWith(`${url}/#link=`)).toBe(true);

    expect(await home.run(["web", "--sign-out"])).toMatchObject({ code: 0 });
    expect(await signIn(machine.link)).toBeNull();
    const headers = { origin: url, authorization: `Bearer ${secret}` };
    expect((await fetch(`${url}/shell/check`, { method: "POST", headers })).status).toBe(401);

    const second = await home.run(["web"]);
    expect(second).toMatchObject({ code: 6, stdout: "" });
    expect(second.stderr).toContain(`(process ${child.pid})`);
    expect(errors() + second.stderr).not.toContain("#link");

    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
    // Without a terminal, no browser is opened.
    expect(existsSync(join(home.folder, "home", "open.html"))).toBe(false);
    for (const option of ["--link", "--sign-out"])
      expect(await home.run(["web", option])).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(/No web window uses/),
      });
  });

  it("prints its address in one line, with a link if requested", async () => {
    const plain = await started([]);
    expect(plain.printed).toMatch(/^Zenith Desk is at http:\/\/127\.0\.0\.1:\d+\n$/);
    plain.child.kill("SIGTERM");
    expect(await once(plain.child, "exit")).toEqual([0, null]);
    const asked = await started(["--print-link"]);
    expect(asked.printed).toMatch(/^Zenith Desk is at http:\/\/127\.0\.0\.1:\d+\/#link=[\w-]{43}\n$/);
    asked.child.kill("SIGTERM");
    expect(await once(asked.child, "exit")).toEqual([0, null]);
  });

  it("rejects an address that others can reach", async () => {
    const refused = await home.run(["web", "--host", "0.0.0.0"]);
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("SSH tunnel") });
  });
});
