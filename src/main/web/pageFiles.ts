import { readFile, stat } from "node:fs/promises";
import { resolvePageFile } from "../page/files.ts";

/** A file of the page, ready to be sent. */
export interface PageBytes {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly cacheControl: string;
}

interface Read {
  readonly version: string;
  readonly bytes: Promise<Buffer>;
}

/**
 * The files of the page, each read once and held: however many ask, and however slowly they read, there is one copy, and
 * no file is open meanwhile.
 *
 * @returns the file behind a path of the address, null where there is none
 */
export function createPageFiles(folder: string): (urlPath: string) => Promise<PageBytes | null> {
  const held = new Map<string, Read>();

  async function bytesOf(path: string): Promise<Buffer | null> {
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) return null;
    const version = `${found.size} ${found.mtimeMs} ${found.ino}`;
    const before = held.get(path);
    if (before?.version === version) return before.bytes;
    const bytes = readFile(path);
    held.set(path, { version, bytes });
    bytes.catch(() => held.delete(path));
    return bytes;
  }

  return async (urlPath) => {
    const file = resolvePageFile(folder, urlPath);
    const bytes = file && (await bytesOf(file.path));
    return file && bytes && { bytes, contentType: file.contentType, cacheControl: file.cacheControl };
  };
}
