import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";

/** Existing files that an export would overwrite: the file, its siblings and their descriptions. Ignores case. */
export async function existingOutputs(path: string): Promise<readonly string[]> {
  const { name, ext } = parse(path);
  const [stem, ending] = [foldCase(name), foldCase(ext)];
  const isOutput = (other: string): boolean => {
    const text = foldCase(other).replace(/\.json$/, "");
    const isFamily = text.startsWith(stem) && text.endsWith(ending);
    return isFamily && /^(-satellites|-stations|-iwv)?$/.test(text.slice(stem.length, text.length - ending.length));
  };
  // A folder may be writable but not listable: then look for the file itself.
  const names = await readdir(dirname(path)).catch(() => (existsSync(path) ? [basename(path)] : []));
  return names.filter(isOutput).map((found) => join(dirname(path), basename(found)));
}

function foldCase(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
