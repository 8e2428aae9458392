import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** What a file, or a folder of files, contains. */
export interface FileContent {
  readonly bytes: number;
  /**
   * SHA-256 of a file in hex. Of a folder, that of its files as `sha256sum` lists them, in the order of their names with
   * slashes.
   */
  readonly sha256: string;
}

/** Reads all bytes of a file or a folder. @throws errors of the file system */
export async function contentOf(path: string): Promise<FileContent> {
  const found = await stat(path);
  if (!found.isDirectory()) return { bytes: found.size, sha256: await digestOf(path) };
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(path.length + 1)
        .replaceAll("\\", "/"),
    )
    .toSorted();
  const all = createHash("sha256");
  let bytes = 0;
  for (const name of names) {
    all.update(`${await digestOf(join(path, name))}  ${name}\n`);
    bytes += (await stat(join(path, name))).size;
  }
  return { bytes, sha256: all.digest("hex") };
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest("hex");
}
