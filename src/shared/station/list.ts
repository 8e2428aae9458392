import type { CatalogueStation } from "../service/catalogue.ts";
import { canonicalId } from "../service/stationId.ts";
import { fold } from "./search.ts";

export interface Listed {
  /** Distinct ids in the order of the list. */
  readonly ids: readonly string[];
  /** Entries that match no station. */
  readonly missing: readonly string[];
}

/**
 * Finds the stations of a text list: names, ids or mount points separated by line breaks, commas, semicolons or tabs. A
 * name with a comma is only found on its own line.
 */
export function findListed(stations: readonly CatalogueStation[], text: string): Listed {
  const byName = new Map<string, string[]>();
  const add = (name: string, id: string): void => {
    if (name === "") return;
    const ids = byName.get(name);
    if (ids) ids.push(id);
    else byName.set(name, [id]);
  };
  for (const { id, displayName, mountpoint } of stations) {
    const names = new Set([canonicalId(id), plain(displayName), plain(mountpoint ?? "")]);
    for (const name of names) add(name, id);
  }
  const find = (entry: string): readonly string[] | undefined =>
    byName.get(canonicalId(entry)) ?? byName.get(plain(entry));
  const ids = new Set<string>();
  const missing = new Set<string>();
  for (const line of text.split(/[\r\n]+/)) {
    const entries = find(line) ? [line] : line.split(/[,;\t]/);
    for (const entry of entries.map(unquoted).filter((each) => each !== "")) {
      const found = find(entry);
      if (!found) missing.add(entry);
      for (const id of found ?? []) ids.add(id);
    }
  }
  return { ids: [...ids], missing: [...missing] };
}

function plain(name: string): string {
  return fold(unquoted(name)).replaceAll(/\s+/g, " ");
}

/** Removes quotation marks, which spreadsheets add. */
function unquoted(entry: string): string {
  return entry
    .trim()
    .replace(/^(["'])(.*)\1$/s, "$2")
    .trim();
}
