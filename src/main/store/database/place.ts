import { statSync } from "node:fs";
import { StoreError } from "../errors.ts";

/**
 * The file of a database when it was opened. Writes through an open handle go to that file, even after it was moved.
 */
interface Place {
  /** Returns whether the file and its log are still those that are open. */
  isSame(): boolean;
  /** @throws StoreError if they were moved, replaced or deleted meanwhile */
  assertInPlace(): void;
}

/** @param path of a database in WAL mode that was just opened */
export function placeOf(path: string): Place {
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
    isSame,
    assertInPlace() {
      if (isSame()) return;
      throw new StoreError(
        "cannotOpen",
        path,
        `${path}: This file was moved, replaced or deleted while it was in use. Nothing more is written to it, and what ` +
          "was being written is not in the file that is at this place now. Put it back, or start again: what is not there " +
          "is fetched again.",
      );
    },
  };
}

function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
