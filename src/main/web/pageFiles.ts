import { readFile, stat } from "node:fs/promises";
import { resolvePageFile } from "../page.ts";

/** A file of the page in memory, with its HTTP headers. */
export interface PageBytes {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly cacheControl: string;
}

interface CachedFile {
  readonly version: string;
  readonly bytes: Promise<Buffer>;
}

/**
 * Caches the files of the page in memory: one copy for any number of slow readers, and no open files.
 *
 * @returns a function that returns the file for a path, or null
 */
export function createPageFiles(folder: string): (urlPath: string) => Promise<PageBytes | null> {
  const cache = new Map<string, CachedFile>();

  async function bytesOf(path: string): Promise<Buffer | null> {
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) return null;
    const version = `${found.size} ${found.mtimeMs} ${found.ino}`;
    const cached = cache.get(path);
    if (cached?.version === version) return cached.bytes;
    const bytes = readFile(path);
    cache.set(path, { version, bytes });
    bytes.catch(() => cache.delete(path));
    return bytes;
  }

  return async (urlPath) => {
    const file = resolvePageFile(folder, urlPath);
    const bytes = file && (await bytesOf(file.path));
    return file && bytes && { bytes, contentType: file.contentType, cacheControl: file.cacheControl };
  };
}
