import { statSync } from "node:fs";
import { StoreError } from "../errors.ts";

/**
 * Remembers the file of a database. Writes through an open handle go to that file, even after it was moved.
 *
 * @param path of a database in WAL mode that was just opened
 */
export function placeOf(path: string) {
  const opened = identityOf(path);
  let log: string | null = null;
  const isSame = (): boolean => {
    if (identityOf(path) !== opened) return false;
    // The log stays while the database is open; before the first write there may be none.
    const now = identityOf(`${path}-wal`);
    log ??= now;
    return log === now;
  };
  return {
    /** Returns whether the file and its log are still the open ones. */
    isSame,
    /** @throws StoreError if the file or its log was moved, replaced or deleted */
    assertInPlace(): void {
      if (isSame()) return;
      throw new StoreError(
        "cannotOpen",
        path,
        `${path}: This file was moved, replaced or deleted while in use. The last changes are not in the file that is ` +
          "there now. Put the original back, or restart: missing data are downloaded again.",
      );
    },
  };
}

function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
