import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { FormatFailure } from "../error.ts";
import type { NetcdfFile } from "./read/types.ts";

/**
 * Opens a file whose values are read on demand, and refuses to read more of it after another program has changed it:
 * values of one version do not belong to the times and positions of another. A file that is moved, deleted or replaced
 * by another one of its name is read on, because its content is still there.
 *
 * @throws FormatFailure (changed), also by `read` of the result, and errors of `open`
 */
export async function openUnchanged(path: string, open: () => Promise<NetcdfFile>): Promise<NetcdfFile> {
  const descriptor = openSync(path, "r");
  try {
    const opened = fstatSync(descriptor, { bigint: true });
    const assertUnchanged = (): void => {
      const { size, mtimeNs } = fstatSync(descriptor, { bigint: true });
      if (size !== opened.size || mtimeNs !== opened.mtimeNs) throw changed();
    };
    const file = await open();
    if (statSync(path, { bigint: true }).ino !== opened.ino) {
      file.close();
      throw changed();
    }
    let isOpen = true;
    return {
      ...file,
      read(name, slices) {
        assertUnchanged();
        try {
          return file.read(name, slices);
        } finally {
          // Instead of an error that the change caused.
          assertUnchanged();
        }
      },
      close() {
        file.close();
        if (isOpen) closeSync(descriptor);
        isOpen = false;
      },
    };
  } catch (thrown) {
    closeSync(descriptor);
    throw thrown;
  }
}

function changed(): FormatFailure {
  return new FormatFailure(
    "changed",
    "Another program has changed this file since it was opened. Close it, and open it again.",
  );
}
