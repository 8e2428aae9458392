import { join } from "node:path";
import type { Handlers } from "#shared/bridge/method.ts";
import type { recovery } from "#shared/bridge/methods/recovery.ts";
import { usageFault } from "#shared/fault.ts";
import { failure, success } from "#shared/service/error.ts";
import { restoreUsers, type StoreError, userBackups } from "../store/index.ts";

/** Where the user's connections, views, saved exports and jobs are kept in a data folder. */
export function usersPath(dataFolder: string): string {
  return join(dataFolder, "user.db");
}

/** While user.db is open there is nothing to recover. */
export function idleRecovery(dataFolder: string): Handlers<typeof recovery> {
  return {
    state: () => success({ reason: null, path: usersPath(dataFolder), backups: [] }),
    restore: () => failure(usageFault("Your connections are open: nothing has to be restored.")),
  };
}

/** @param onRestored opens the application again; what it throws is answered */
export function openRecovery(dataFolder: string, error: StoreError, onRestored: () => void): Handlers<typeof recovery> {
  const path = usersPath(dataFolder);
  const reason = error.kind === "foreign" || error.kind === "newer" ? error.kind : "damaged";
  return {
    state: () => success({ reason, path, backups: userBackups(path) }),
    restore({ backup }) {
      if (backup !== null && !userBackups(path).some((known) => known.path === backup))
        return failure(usageFault("This backup no longer exists, or cannot be read. Choose another one."));
      const putAsideAt = restoreUsers(path, backup);
      onRestored();
      return success({ putAsideAt });
    },
  };
}
