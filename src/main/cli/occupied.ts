import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";
import type { ExportFormat } from "#shared/file/export.ts";
import { placeProblem } from "../app/exports/place.ts";
import { EXIT, Stop, stopFor } from "./exit.ts";

/**
 * Makes sure that files can be written under these names, before any work is done.
 *
 * @param isForced what is there already may be replaced
 * @throws Stop
 */
export async function refuseOccupied(paths: readonly string[], format: ExportFormat, isForced: boolean): Promise<void> {
  for (const path of paths) {
    const problem = await placeProblem(path, format);
    if (problem) throw stopFor(problem);
    const there = isForced ? null : await whatIsThere(path);
    if (there !== null) {
      const sentence = `${there} is there already, and is not replaced without --force. Nothing was written.`;
      throw new Stop(EXIT.disk, sentence);
    }
  }
}

/** The file itself, one of its parts or siblings, or a description of one; in whatever case its letters are. */
async function whatIsThere(path: string): Promise<string | null> {
  const { name, ext } = parse(path);
  const [stem, ending] = [folded(name), folded(ext)];
  const isOwn = (other: string): boolean => {
    const text = folded(other).replace(/\.json$/, "");
    const isFamily = text.startsWith(stem) && text.endsWith(ending);
    return isFamily && /^(-satellites|-stations|-iwv)?$/.test(text.slice(stem.length, text.length - ending.length));
  };
  // A folder that may be written to and not listed tells at least of the very name.
  const names = await readdir(dirname(path)).catch(() => (existsSync(path) ? [basename(path)] : []));
  const found = names.find(isOwn);
  return found === undefined ? null : join(dirname(path), basename(found));
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
