import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { launchChromium } from "../e2e/harness/chromium.ts";
import { describeInChromium } from "../support/needs.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Starts `npm run dev`, and answers with the link that it prints. */
async function startDev(folder: string): Promise<{ readonly link: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(ROOT, "scripts", "dev.ts"), "--no-open", "--data-folder", folder], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const gone = once(child, "exit");
  const link = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [found] = /http:\/\/127\.0\.0\.1:\S+/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(`The development server ended: ${said}`)));
  });
  return {
    link,
    async stop() {
      child.kill("SIGTERM");
      await gone;
    },
  };
}

describeInChromium("npm run dev", () => {
  it("shows the demo, in a page that takes changes while it is open", { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "zenith-dev-"));
    const dev = await startDev(folder);
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const sockets: string[] = [];
      page.on("websocket", (socket) => void sockets.push(new URL(socket.url()).pathname));
      await page.goto(dev.link);
      await page.getByRole("tab", { name: "Series" }).waitFor({ timeout: 90_000 });
      // One of Vite, which tells of changes, and one to the core.
      expect(new Set(sockets)).toEqual(new Set(["/", "/bridge"]));
    } finally {
      await browser.close();
      await dev.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
