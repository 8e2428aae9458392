import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Download } from "playwright-core";
import { chromiumBrowser, chromiumMissing } from "./chromium.ts";
import type { Driver } from "./driver.ts";

/** The window in a real browser, over loopback HTTP. */
export const webDriver: Driver = {
  kind: "web",
  unavailable: chromiumMissing,
  async start({ dataFolder }) {
    const child = fork(join(import.meta.dirname, "webShellProcess.ts"), [dataFolder], {
      execArgv: ["--disable-warning=ExperimentalWarning"],
      // Without the loader and the options of the test runner.
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    const gone = once(child, "exit");
    const started = await Promise.race([once(child, "message"), gone.then(() => null)]);
    if (!started) throw new Error("The web shell did not start.");
    const [{ link, origin }] = started as [{ link: string; origin: string }];
    const context = await (
      await chromiumBrowser()
    ).newContext({
      acceptDownloads: true,
      permissions: ["clipboard-write"],
    });
    const page = await context.newPage();
    await page.goto(link);
    const end = async (): Promise<void> => {
      await context.close();
      await gone;
    };
    return {
      context,
      page,
      origin,
      async openWindow() {
        const next = await context.newPage();
        await next.goto(origin);
        return next;
      },
      async saved(from, folder, act, ending = "") {
        const fits = (each: Download): boolean => each.suggestedFilename().endsWith(ending);
        const [download] = await Promise.all([from.waitForEvent("download", fits), act()]);
        const suggestedName = download.suggestedFilename();
        const path = join(folder, suggestedName);
        await download.saveAs(path);
        return { path, suggestedName };
      },
      async opened(from, path, act) {
        // The next message stops the browser from opening its own dialog, so the action has to follow it.
        const acted = async (): Promise<void> => {
          await from.evaluate(() => document.readyState);
          await act();
        };
        const [chooser] = await Promise.all([from.waitForEvent("filechooser"), acted()]);
        await chooser.setFiles(path);
      },
      webPreferences: () => Promise.resolve(null),
      async killCore() {
        const killed = once(child, "message");
        child.send("killCore");
        await killed;
      },
      async kill() {
        child.kill("SIGKILL");
        await end();
      },
      async close() {
        child.send("close");
        await end();
      },
    };
  },
};
