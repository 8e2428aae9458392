import { randomUUID } from "node:crypto";
import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Page } from "playwright-core";
import { desktopMain } from "../../support/desktopProgram.ts";
import { openStandin, standinMissing } from "../../electron-standin/driver.ts";
import { createChoosers } from "./choosers.ts";
import type { Driver } from "./driver.ts";
import { originOf } from "./watch.ts";
import { written } from "./written.ts";

/**
 * The built or packed main and preload bundles under the Electron stand-in, whose windows are pages of a real browser.
 */
export const standinDriver: Driver = {
  kind: "standin",
  unavailable: standinMissing,
  async start({ dataFolder, fileFolder }) {
    const standin = await openStandin({ main: await desktopMain(), dataFolder, fileFolder });
    const page = await standin.page();
    const choosers = createChoosers();
    return {
      context: page.context(),
      page,
      origin: originOf(page.url()),
      async openWindow() {
        const known = new Set(await standin.windows());
        await standin.menu("command:new-window").click();
        const opened = await windowBeside(standin.windows, known);
        await opened.waitForLoadState();
        return opened;
      },
      async saved(_page, folder, act) {
        const path = join(folder, `saved-${randomUUID()}`);
        await standin.control.setSaveDialog(path);
        await act();
        await written(path);
        const options = (await standin.control.shownDialogs()).at(-1)?.options as { readonly defaultPath: string };
        return { path, suggestedName: basename(options.defaultPath) };
      },
      async opened(from, path, act) {
        // Both kinds of dialogs return the same path.
        await standin.control.setSaveDialog(path);
        await choosers.answer(from, () => {
          // The stand-in finds the path of a dropped or chosen file in this folder.
          const given = join(fileFolder, basename(path));
          copyFileSync(path, given);
          return given;
        });
        await act();
      },
      webPreferences: () => standin.webPreferences(),
      async killCore() {
        await standin.control.crashUtilities();
      },
      kill: () => standin.kill(),
      async close() {
        await standin.quit();
      },
    };
  },
};

/** Waits for a new window, at most until the time limit of the test. */
async function windowBeside(windows: () => Promise<Page[]>, known: ReadonlySet<Page>): Promise<Page> {
  for (;;) {
    const opened = (await windows()).find((page) => !known.has(page));
    if (opened) return opened;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
