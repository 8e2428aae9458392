import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { folderFiles } from "#formats/open/folder.ts";
import type { FileGrant } from "#shared/file/opened.ts";
import { VIEW_FILE_ENDING } from "#shared/views/file.ts";

/** A file, or a folder of files, as a shell names it. Only shells do: a page has nothing but the grant. */
export interface FilePlace {
  readonly path: string;
  /** What the user calls it, where that is not the name of the path. */
  readonly name?: string;
  /** A copy that was made to be opened, and is removed with its grant or when it is closed. */
  readonly isTemporary?: boolean;
}

export interface GrantedFile extends FileGrant {
  readonly path: string;
  readonly isTemporary: boolean;
}

export interface Grants {
  /** Grants for those of the places that are files or folders, in the same order. */
  add(places: readonly FilePlace[]): Promise<FileGrant[]>;
  /** The file of a grant, which is used up by this; null where there is no such grant any more. */
  take(grantId: string): GrantedFile | null;
  /** Forgets all of them. */
  clear(): void;
}

/** Who asks for grants and never opens them does not fill the memory, or the disk. */
const MOST_GRANTS = 200;

export function createGrants(): Grants {
  const granted = new Map<string, GrantedFile>();
  return {
    async add(places) {
      const found = await Promise.all(places.map(fileAt));
      const added = found.filter((file) => file !== null);
      for (const file of added) granted.set(file.grantId, file);
      for (const file of [...granted.values()].slice(0, Math.max(0, granted.size - MOST_GRANTS))) {
        granted.delete(file.grantId);
        dropCopy(file);
      }
      return added.map(({ grantId, name, bytes, kind }) => ({ grantId, name, bytes, kind }));
    },
    take(grantId) {
      const file = granted.get(grantId) ?? null;
      granted.delete(grantId);
      return file;
    },
    clear() {
      for (const file of granted.values()) dropCopy(file);
      granted.clear();
    },
  };
}

/** Removes the copy that was made of a file to open it. */
export function dropCopy({ path, isTemporary }: Pick<GrantedFile, "path" | "isTemporary">): void {
  if (isTemporary) rmSync(path, { force: true });
}

async function fileAt({ path, name = basename(path), isTemporary = false }: FilePlace): Promise<GrantedFile | null> {
  const bytes = await sizeOf(path).catch(() => null);
  if (bytes === null) return null;
  const kind = name.toLowerCase().endsWith(VIEW_FILE_ENDING) ? "views" : "data";
  return { grantId: randomUUID(), name, bytes, kind, path, isTemporary };
}

/** Bytes of a file, or of all files in a folder; null for anything else. @throws what the file system does */
export async function sizeOf(path: string): Promise<number | null> {
  const place = await stat(path);
  if (!place.isDirectory()) return place.isFile() ? place.size : null;
  // What is wrong with the folder is said when it is opened.
  const files = await folderFiles(path).catch(() => []);
  const sizes = await Promise.all(files.map(async (file) => (await stat(file.path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
