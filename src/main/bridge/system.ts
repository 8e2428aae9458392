import { ownTimeZone } from "#shared/schedule/when.ts";
import { arch, release } from "node:os";
import type { Handlers } from "#shared/bridge/method.ts";
import type { Capabilities, system } from "#shared/bridge/methods/system.ts";
import { failure, success } from "#shared/service/error.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { VERSION } from "../program.ts";
import { sqliteVersion } from "../store/index.ts";
import type { Core } from "./core.ts";

/** Capabilities without a desktop. */
const NO_DESKTOP: Omit<Capabilities, "keys" | "timeZone"> = {
  shell: "test",
  fileDialogs: false,
  openFiles: "none",
  downloads: false,
  showInFolder: false,
  openExternal: false,
  notifications: false,
  nativeMenus: false,
  newWindow: false,
};

/** The part of the core for these handlers, which is available even if user.db is damaged. */
interface SystemCore extends Pick<Core, "ports" | "chosenFiles"> {
  readonly app: Pick<Core["app"], "folderWarning">;
}

export function systemHandlers({ app, ports, chosenFiles }: SystemCore): Handlers<typeof system> {
  const { desktop, secrets } = ports;
  return {
    about: () =>
      success({
        name: "Zenith Desk",
        version: VERSION,
        components: [
          ...(desktop?.components ?? []),
          { name: "Node.js", version: process.versions.node },
          { name: "SQLite", version: sqliteVersion() },
        ],
        platform: `${process.platform} ${release()} ${arch()}`,
        dataFolder: ports.dataFolder,
        folderWarning: app.folderWarning,
      }),
    capabilities: async () =>
      success({
        ...(desktop?.capabilities ?? NO_DESKTOP),
        timeZone: ownTimeZone(),
        keys: await (secrets.expectedProtection?.() ?? secrets.protection()),
      }),
    async chooseSaveFile(options, { windowId }) {
      if (!desktop?.chooseSaveFile) return unavailable("Choosing a file");
      const path = await desktop.chooseSaveFile(options, windowId);
      if (path !== null) chosenFiles.add(path);
      return success(path);
    },
    async chooseFolder(_, { windowId }) {
      if (!desktop?.chooseFolder) return unavailable("Choosing a folder");
      const path = await desktop.chooseFolder(windowId);
      if (path !== null) chosenFiles.add(path);
      return success(path);
    },
    async showInFolder({ path }) {
      if (!desktop?.showInFolder) return unavailable("Showing a folder");
      await desktop.showInFolder(path);
      return success(null);
    },
    async openExternal({ url }) {
      if (!desktop?.openExternal) return unavailable("Opening an address");
      await desktop.openExternal(url);
      return success(null);
    },
    async newWindow() {
      if (!desktop?.newWindow) return unavailable("Opening another window");
      await desktop.newWindow();
      return success(null);
    },
  };
}

function unavailable(action: string): { readonly ok: false; readonly error: AppFault } {
  return failure(usageFault(`${action} is not possible in this window.`));
}
