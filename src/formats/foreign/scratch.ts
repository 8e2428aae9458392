import { closeSync, fstatSync, mkdirSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "#shared/fault.ts";
import { FormatFailure } from "../error.ts";
import { readUpTo, writeFully } from "../fileBytes.ts";
import { sweepBeside, temporaryName } from "../leftovers.ts";
import type { ForeignFile } from "./file.ts";

/** A temporary file, which nobody else can open, for what does not fit into memory. */
export interface Scratch extends ForeignFile {
  /** @throws FormatFailure (noSpace) */
  write(bytes: Uint8Array, position: number): void;
}

/** The reader of foreign files in a process without a file system gets its scratch files from outside. */
let create: () => Scratch = () => createLocalScratch(tmpdir());

export function useScratch(factory: () => Scratch): void {
  create = factory;
}

/** @throws FormatFailure (noSpace) */
export function openScratch(): Scratch {
  return create();
}

/** Creates a temporary file in a new folder of its own within `parent`. @throws FormatFailure (noSpace) */
export function createLocalScratch(parent: string): Scratch {
  const withSpaceError = <T>(work: () => T): T => {
    try {
      return work();
    } catch (thrown) {
      throw new FormatFailure("noSpace", noRoom(parent, codeOf(thrown)), thrown);
    }
  };
  // Only its user may enter it.
  const folder = withSpaceError(() => {
    const own = join(parent, temporaryName());
    mkdirSync(own, { mode: 0o700 });
    return own;
  });
  sweepBeside(folder);
  const path = join(folder, "content");
  const file = withSpaceError(() => openSync(path, "wx+", 0o600));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // Unlinked at once where the system allows it, so that not even a kill leaves the file.
  const isUnlinked = process.platform !== "win32";
  if (isUnlinked) remove();
  let isOpen = true;
  return {
    get bytes() {
      return fstatSync(file).size;
    },
    read: (target, position) => readUpTo(file, target, position),
    write: (bytes, position) => withSpaceError(() => writeFully(file, bytes, position)),
    close() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(file);
      if (!isUnlinked) remove();
    },
  };
}

function noRoom(folder: string, code: string): string {
  return (
    `Opening this file needs room for temporary data in ${folder}, which cannot be written to (${code}). ` +
    "Free some room there, then open it again."
  );
}
