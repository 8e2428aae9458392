import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chromiumBrowser, chromiumMissing } from "../e2e/harness/chromium.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";
import { itUnless } from "../support/needs.ts";
import { scratchFolder } from "../support/folder.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const ROOT = join(import.meta.dirname, "..", "..");

/** Starts `npm run dev`, and returns the printed link. */
async function startDev(folder: string): Promise<{ readonly link: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(ROOT, "scripts", "dev.ts"), "--no-open", "--data-folder", folder], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const gone = once(child, "exit");
  const link = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const [found] = /http:\/\/127\.0\.0\.1:\S+/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(`The development server ended: ${output}`)));
  });
  return {
    link,
    async stop() {
      child.kill("SIGTERM");
      await gone;
    },
  };
}

describe("npm run dev", () => {
  const folder = scratchFolder();
  let dev: Awaited<ReturnType<typeof startDev>>;
  beforeAll(async () => {
    dev = await startDev(folder);
  });
  afterAll(() => dev?.stop());

  it("serves the page from its sources, with hot module replacement", async () => {
    const page = await (await fetch(dev.link)).text();
    expect(page).toContain("/@vite/client");
    const [, script = ""] = /<script type="module" src="([^"]+\.tsx?[^"]*)"/.exec(page) ?? [];
    expect(script).not.toBe("");
    const source = await (await fetch(new URL(script, dev.link))).text();
    const [, styles = ""] = /import "([^"]+\.css)"/.exec(source) ?? [];
    const style = await (await fetch(new URL(styles, dev.link))).text();
    expect(style).toContain("import.meta.hot.accept");
    // A utility, which a build compiles.
    expect(style).toMatch(/\.flex-1 ?\{/);
  });

  // Each source file is a separate request, which takes seconds.
  if (!IS_ENDURANCE) return;
  itUnless(chromiumMissing(), "opens a page with one socket for changes and one to the core", async () => {
    const context = await (await chromiumBrowser()).newContext();
    try {
      const page = await context.newPage();
      const sockets: string[] = [];
      page.on("websocket", (socket) => void sockets.push(new URL(socket.url()).pathname));
      await page.goto(dev.link);
      await page.getByRole("tab", { name: "Series" }).waitFor({ timeout: 90_000 });
      expect(new Set(sockets)).toEqual(new Set(["/", "/bridge"]));
    } finally {
      await context.close();
    }
  });
});
