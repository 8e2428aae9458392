import { existsSync } from "node:fs";
import { arch, release } from "node:os";
import { join } from "node:path";
import type { Handlers } from "#shared/bridge/method.ts";
import { type log as contract, NO_DESKTOP, type recovery, type system } from "#shared/bridge/methods/system.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { ownTimeZone } from "#shared/schedule/when.ts";
import { success } from "#shared/service/error.ts";
import { LOG_NAME } from "../log/file.ts";
import { log, readLog } from "../log/index.ts";
import { VERSION } from "../program.ts";
import { restoreUsers, sqliteVersion, type StoreError, checkedBackups } from "../store/index.ts";
import type { Core } from "./core.ts";

/** Limits the reports of a page that fails in every frame. */
const MAX_REPORTS = 100;

export function logHandlers(dataFolder: string): Handlers<typeof contract> {
  let reports = 0;
  return {
    read: ({ level, most }) =>
      success({ path: join(dataFolder, LOG_NAME), lines: readLog(dataFolder, level).slice(-most) }),
    report({ text }) {
      if (reports++ < MAX_REPORTS) log.error(`window: ${text}`);
      return success(null);
    },
  };
}

/** The database of connections, views, saved exports and jobs in a data folder. */
export function usersPath(dataFolder: string): string {
  return join(dataFolder, "user.db");
}

/** Handlers while user.db is open and there is nothing to recover. */
export function idleRecovery(dataFolder: string): Handlers<typeof recovery> {
  return {
    state: () => success({ reason: null, path: usersPath(dataFolder), backups: [] }),
    restore: () => usageFailure("Your connections are open: nothing has to be restored."),
  };
}

/** Handlers while user.db is damaged. @param onRestored reopens the application; its errors are returned to the caller */
export function openRecovery(dataFolder: string, error: StoreError, onRestored: () => void): Handlers<typeof recovery> {
  const path = usersPath(dataFolder);
  const reason = error.kind === "foreign" || error.kind === "newer" ? error.kind : "damaged";
  return {
    state: () => success({ reason, path, backups: checkedBackups(path).backups }),
    restore({ backup }) {
      if (backup !== null && !checkedBackups(path).backups.some((known) => known.path === backup))
        return usageFailure("This backup no longer exists, or cannot be read. Choose another one.");
      const putAsideAt = restoreUsers(path, () => backup);
      onRestored();
      return success({ putAsideAt });
    },
  };
}

/** The part of the core for these handlers, which is available even if user.db is damaged. */
interface SystemCore extends Pick<Core, "ports" | "chosenFiles"> {
  readonly app: Pick<Core["app"], "warnings" | "hasWritten">;
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
        warnings: [...app.warnings],
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
      if (!app.hasWritten(path)) return usageFailure("Zenith Desk shows only files that it has written itself.");
      if (!existsSync(path)) return usageFailure(`${path} no longer exists.`);
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
  return usageFailure(`${action} is not possible in this window.`);
}
