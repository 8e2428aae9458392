import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { folderFiles } from "#formats/folderFiles.ts";
import type { FileGrant } from "#shared/file/opened.ts";
import { VIEW_FILE_EXTENSION } from "#shared/views/file.ts";

/** A file, or a folder of files, named by a shell. Pages only see its grant. */
export interface FilePlace {
  readonly path: string;
  /** The name that the user knows, if it differs from the path. */
  readonly name?: string;
  /** Whether this is a copy that is deleted when its grant expires or it is closed. */
  readonly isTemporary?: boolean;
}

export interface GrantedFile extends FileGrant {
  readonly path: string;
  readonly isTemporary: boolean;
}

/** Oldest grants expire beyond this number, so that unused ones fill neither memory nor disk. */
const MAX_GRANTS = 200;

export class Grants {
  readonly #granted = new Map<string, GrantedFile>();

  /** Creates grants for existing files and folders, in the same order. */
  async add(places: readonly FilePlace[]): Promise<FileGrant[]> {
    const found = await Promise.all(places.map(fileAt));
    const added = found.filter((file) => file !== null);
    for (const file of added) this.#granted.set(file.grantId, file);
    for (const file of [...this.#granted.values()].slice(0, Math.max(0, this.#granted.size - MAX_GRANTS))) {
      this.#granted.delete(file.grantId);
      deleteCopy(file);
    }
    return added.map(({ grantId, name, bytes, kind }) => ({ grantId, name, bytes, kind }));
  }

  /** Takes the file of a grant, which expires; null if the grant no longer exists. */
  take(grantId: string): GrantedFile | null {
    const file = this.#granted.get(grantId) ?? null;
    this.#granted.delete(grantId);
    return file;
  }

  clear(): void {
    for (const file of this.#granted.values()) deleteCopy(file);
    this.#granted.clear();
  }
}

export function deleteCopy({ path, isTemporary }: Pick<GrantedFile, "path" | "isTemporary">): void {
  if (isTemporary) rmSync(path, { force: true });
}

async function fileAt({ path, name = basename(path), isTemporary = false }: FilePlace): Promise<GrantedFile | null> {
  const bytes = await pathBytes(path).catch(() => null);
  if (bytes === null) return null;
  const kind = name.toLowerCase().endsWith(VIEW_FILE_EXTENSION) ? "views" : "data";
  return { grantId: randomUUID(), name, bytes, kind, path, isTemporary };
}

/** Bytes of a file, or of all files in a folder; null for anything else. @throws errors of the file system */
export async function pathBytes(path: string): Promise<number | null> {
  const place = await stat(path);
  if (!place.isDirectory()) return place.isFile() ? place.size : null;
  // Errors of the folder are reported when it is opened.
  const files = await folderFiles(path).catch(() => []);
  const sizes = await Promise.all(files.map(async (file) => (await stat(file.path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
