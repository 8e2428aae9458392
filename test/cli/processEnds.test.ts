import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { asStop } from "#main/cli/exit.ts";
import { UPDATED } from "#main/program.ts";
import { SCRIPT } from "./program.ts";
import { openTrial } from "./trial.ts";

const { home } = await openTrial(["stations"]);

/** Runs a command with a module that is loaded before it. */
function preloaded(module: string, args: readonly string[]) {
  const preload = `data:text/javascript,${encodeURIComponent(module)}`;
  const { ZENITH_API_KEY: _, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, ["--import", preload, SCRIPT, ...args], {
    env: { ...env, ZENITH_HOME: join(home.folder, "home") },
    encoding: "utf8",
  });
  return { code: status, stderr };
}

describe("a command that does not finish", () => {
  // While the reference service runs, nothing else ends the command.
  const running = ["service", "--port", "0"];

  it.each([
    ["an error that nobody handles", 'setTimeout(() => { throw new Error("kaput") }, 1)'],
    ["a rejection that nobody handles", 'setTimeout(() => Promise.reject(new Error("kaput")), 1)'],
  ])("ends with 1 after %s, says so, and logs it", (_, module) => {
    const ended = preloaded(module, running);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^kaput$/m) });
    expect(ended.stderr).not.toContain("    at ");
    const log = readFileSync(join(home.folder, "home", "log.txt"), "utf8");
    expect(log.trimEnd().split("\n").at(-1)).toMatch(/ error command\[\d+\] kaput \(exit code 1\) .*Error: kaput/);
  });

  it("ends with 1 if something ends its process without a code", () => {
    expect(preloaded("setTimeout(() => process.exit(), 1)", running).code).toBe(1);
  });
});

it("a finished command ends with its own exit code, although something still runs or stdin stays open", async () => {
  const preload = `data:text/javascript,${encodeURIComponent("setInterval(() => {}, 1000); process.stdin.resume()")}`;
  const words = ["--import", preload, SCRIPT, "cache", "quarantine", "delete", "--all", "--json"];
  const env = { ...process.env, ZENITH_HOME: join(home.folder, "home") };
  const child = spawn(process.execPath, words, { env, stdio: ["pipe", "pipe", "inherit"] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect({ code, deleted: (JSON.parse(printed) as { deleted: unknown }).deleted }).toEqual({ code: 0, deleted: [] });
});

function failToLoad(reason: string): string {
  return `process.dlopen = () => { throw Object.assign(new Error(${JSON.stringify(reason)}), { code: "ERR_DLOPEN_FAILED" }) }`;
}

it("a part in machine code that the system cannot load is named, with what it needs", () => {
  const old = preloaded(failToLoad("/lib/libc.so.6: version `GLIBC_2.34' not found (required by a.node)"), ["jobs"]);
  expect(old).toMatchObject({ code: 1, stderr: expect.stringContaining("needs glibc 2.34 or newer") });
  const absent = preloaded(failToLoad("a.node: cannot open shared object file"), ["jobs"]);
  expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining("Install the program again.") });
});

describe("a program whose files are replaced while it runs", () => {
  it("says that it was updated, and nothing about modules", () => {
    // Beside the bundle, so that it finds its packages.
    const copy = mkdtempSync(join(dirname(dirname(SCRIPT)), "replaced-"));
    try {
      cpSync(dirname(SCRIPT), join(copy, "main"), { recursive: true });
      writeFileSync(join(copy, "new.js"), "");
      // The command waits for its list of stations; meanwhile the update takes place.
      const lines = [
        'mkfifo list; "$NODE" main/zenith.js plan @"$PWD/list" --month 2026-10 & exec 3>list',
        "rm main/*.js; mv new.js main/zenith.js; echo Kallio >&3; exec 3>&-; wait $!",
      ];
      const { status, stderr } = spawnSync("bash", ["-c", lines.join("\n")], {
        cwd: copy,
        env: { ...process.env, NODE: process.execPath, ZENITH_HOME: join(home.folder, "home") },
        encoding: "utf8",
      });
      expect({ status, stderr: stderr.trim() }).toEqual({ status: 1, stderr: UPDATED });
    } finally {
      rmSync(copy, { recursive: true });
    }
  });

  it("does not hide errors that have another cause", () => {
    const thrown = new Error("kaput");
    expect(asStop(thrown, () => false).message).toBe("kaput");
    expect(asStop(thrown, () => true)).toMatchObject({ message: UPDATED, cause: thrown });
    const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC", path: "/data/a.csv" });
    expect(asStop(full, () => true).message).toContain("/data/a.csv");
  });
});
