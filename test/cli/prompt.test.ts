import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openService } from "../support/openService.ts";
import { makeHome, SCRIPT } from "./program.ts";

// `script` of util-linux runs the program in a terminal; the one of BSD and macOS has other arguments.
const hasTerminal = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false;

const service = await openService();
const home = makeHome();

/** Runs a command in a pseudo-terminal, and types the keys when the text is on the screen. */
function atTerminal(words: string, waitFor: string, keys: string): Promise<{ code: number | null; screen: string }> {
  const { ZENITH_API_KEY: _, ...env } = process.env;
  const command = `stty cols 100; '${process.execPath}' '${SCRIPT}' ${words}`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    env: { ...env, ZENITH_HOME: join(home.folder, "home"), LC_ALL: "C.UTF-8", TERM: "xterm" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let screen = "";
  let isTyped = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    if (isTyped || !screen.includes(waitFor)) return;
    isTyped = true;
    child.stdin.write(keys);
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, screen })));
}

describe("at a terminal", () => {
  it("the key is typed hidden, with editing", async (ctx) => {
    if (!hasTerminal) ctx.skip("the “script” of util-linux is not installed");
    const ended = await atTerminal(`connect ${service.url} --name trial`, "(hidden)", "wrong\u0015demo-kez\u007fy\r");
    expect(ended.code).toBe(0);
    expect(ended.screen).toContain("67 stations");
    expect(ended.screen).not.toMatch(/demo-k|wrong|\*/);
  });

  it("Ctrl+C at the prompt saves nothing", async (ctx) => {
    if (!hasTerminal) ctx.skip("the “script” of util-linux is not installed");
    const ended = await atTerminal(`connect ${service.url} --name second`, "(hidden)", "demo\u0003");
    expect(ended.code).toBe(130);
    expect(await home.json(["connect"])).toMatchObject({ connections: { length: 1 } });
  });

  it("a download redraws one line, and Ctrl+C stops it with a command to resume", async (ctx) => {
    if (!hasTerminal) ctx.skip("the “script” of util-linux is not installed");
    service.setOrganization("demo", { maxPoints: 3_000 });
    service.setFaults([{ fault: { kind: "slow", delayMs: 200 }, endpoints: ["query"] }]);
    const ended = await atTerminal("fetch Torsvika Heinäniemi --month 2026-09", " left · ", "\u0003");
    expect(ended.code).toBe(130);
    // oxlint-disable-next-line no-control-regex -- the redrawing is what this is about
    expect(ended.screen).toMatch(/\r\u001b\[2K[█░]{12,24} \d+ % · [\d,]+ of 172,800 points/);
    expect(ended.screen).toMatch(/Stopped\. Received data are kept\. Resume with:\r\n {2}node .* fetch --resume \w{8}/);
    // A resumed job shows the counts of the whole job, like the window.
    service.setFaults([]);
    const resumed = await home.run(["fetch", "--resume"]);
    expect(resumed.stdout).toMatch(/^Fetched 172,800 points in all: [\d,]+ rows, [\d.]+ MB with \d+ requests/);
  });
});
