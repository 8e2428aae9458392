import { join } from "node:path";
import type { Handlers } from "#shared/bridge/method.ts";
import type { recovery } from "#shared/bridge/methods/recovery.ts";
import { usageFault } from "#shared/fault.ts";
import { failure, success } from "#shared/service/error.ts";
import { restoreUsers, type StoreError, userBackups } from "../store/index.ts";

/** The database of connections, views, saved exports and jobs in a data folder. */
export function usersPath(dataFolder: string): string {
  return join(dataFolder, "user.db");
}

/** Handlers while user.db is open and there is nothing to recover. */
export function idleRecovery(dataFolder: string): Handlers<typeof recovery> {
  return {
    state: () => success({ reason: null, path: usersPath(dataFolder), backups: [] }),
    restore: () => failure(usageFault("Your connections are open: nothing has to be restored.")),
  };
}

/** Handlers while user.db is damaged. @param onRestored reopens the application; its errors are returned to the caller */
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
