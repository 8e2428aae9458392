import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { basename, join } from "node:path";
import { _electron } from "playwright-core";
import { installedElectron } from "../../../scripts/electron.ts";
import { packedPrograms } from "../../../scripts/fuses.ts";
import { hasDesktop } from "#main/cli/browser.ts";
import { builtApp } from "../../support/build.ts";
import { written } from "./written.ts";
import { createChoosers } from "./choosers.ts";
import type { Driver } from "./driver.ts";
import { originOf } from "./watch.ts";

/** The program to start: the packed program in the folder ZENITH_ELECTRON, else the runtime with the built bundles. */
function program(): { readonly executablePath: string; readonly args: readonly string[] } | null {
  const { ZENITH_ELECTRON: folder } = process.env;
  if (folder) {
    const [packed] = packedPrograms(folder);
    if (packed === undefined) throw new Error(`ZENITH_ELECTRON names ${folder}, and there is no program in it.`);
    return {
      executablePath: packed.endsWith(".app") ? join(packed, "Contents", "MacOS", "Zenith Desk") : packed,
      args: [],
    };
  }
  const executablePath = installedElectron();
  return executablePath === null ? null : { executablePath, args: [join(builtApp().main, "main.js")] };
}

/** The built application under Electron itself. */
export const electronDriver: Driver = {
  kind: "electron",
  unavailable() {
    if (!process.env["ZENITH_ELECTRON"] && installedElectron() === null)
      return "the Electron runtime is not installed (“npx install-electron” brings it where its site can be reached)";
    return hasDesktop() ? null : "there is no display for Electron's windows";
  },
  async start({ dataFolder }) {
    const started = program();
    if (!started) throw new Error("There is no Electron to start.");
    const application = await _electron.launch({
      executablePath: started.executablePath,
      args: [...started.args],
      env: { ...(process.env as Record<string, string>), ZENITH_HOME: dataFolder },
      // Playwright disables it by default, but it is part of the test.
      chromiumSandbox: true,
    });
    const page = await application.firstWindow();
    await page.waitForLoadState();
    const gone = once(application.process(), "exit");
    const choosers = createChoosers();
    // On Windows, Playwright starts the program through a command shell.
    const pid = await application.evaluate(() => process.pid);
    return {
      context: application.context(),
      page,
      origin: originOf(page.url()),
      async openWindow() {
        const opening = application.waitForEvent("window");
        await application.evaluate(({ Menu }) => {
          Menu.getApplicationMenu()?.getMenuItemById("command:new-window")?.click();
        });
        const opened = await opening;
        await opened.waitForLoadState();
        return opened;
      },
      async saved(_page, folder, act) {
        const path = join(folder, `saved-${randomUUID()}`);
        // A dialog of the system belongs to no page, so its result is provided instead.
        const proposedNames = await application.evaluateHandle(({ dialog }, filePath) => {
          const names: string[] = [];
          dialog.showSaveDialog = (...args: readonly unknown[]) => {
            names.push((args.at(-1) as { readonly defaultPath?: string }).defaultPath ?? "");
            return Promise.resolve({ canceled: false, filePath });
          };
          return names;
        }, path);
        await act();
        await written(path);
        return { path, suggestedName: basename((await proposedNames.jsonValue()).at(-1) ?? "") };
      },
      async opened(from, path, act) {
        await application.evaluate(({ dialog }, filePath) => {
          dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
        }, path);
        await choosers.answer(from, () => path);
        await act();
      },
      webPreferences: () =>
        application.evaluate(({ BrowserWindow }) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents as
            | { getLastWebPreferences(): Readonly<Record<string, unknown>> | null }
            | undefined;
          return contents?.getLastWebPreferences() ?? {};
        }),
      async killCore() {
        await application.evaluate(({ app }) => {
          // The network has a utility process, too; the core's is the one that runs Node.
          const core = app
            .getAppMetrics()
            .find((m) => m.type === "Utility" && m.serviceName === "node.mojom.NodeService");
          if (core) process.kill(core.pid, "SIGKILL");
        });
      },
      async kill() {
        process.kill(pid, "SIGKILL");
        await gone;
      },
      async close() {
        await application.close();
      },
    };
  },
};
