import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";

/** What is where an export would be written: the file, one of its parts or siblings, or a description of one; in any case. */
export async function whatIsThere(path: string): Promise<readonly string[]> {
  const { name, ext } = parse(path);
  const [stem, ending] = [folded(name), folded(ext)];
  const isOwn = (other: string): boolean => {
    const text = folded(other).replace(/\.json$/, "");
    const isFamily = text.startsWith(stem) && text.endsWith(ending);
    return isFamily && /^(-satellites|-stations|-iwv)?$/.test(text.slice(stem.length, text.length - ending.length));
  };
  // A folder that may be written to and not listed tells at least of the very name.
  const names = await readdir(dirname(path)).catch(() => (existsSync(path) ? [basename(path)] : []));
  return names.filter(isOwn).map((found) => join(dirname(path), basename(found)));
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
