import type { CatalogueStation } from "../service/catalogue.ts";
import { canonicalId } from "../service/stationId.ts";
import { defined } from "../defined.ts";
import { fold } from "./search.ts";

const SEPARATOR = /[,;\t]/;
const SEPARATORS = new RegExp(SEPARATOR, "g");

interface Listed {
  /** Distinct ids in the order of the list. */
  readonly ids: readonly string[];
  /** Entries that match no station. */
  readonly missing: readonly string[];
}

/**
 * Finds the stations of a text list: names, ids or mount points separated by line breaks, commas, semicolons or tabs. A
 * name with a comma is found too: of neighbouring parts, the longest run that is a name counts as one entry.
 */
export function findListed(stations: readonly CatalogueStation[], text: string): Listed {
  const byName = new Map<string, string[]>();
  const add = (name: string, id: string): void => {
    if (name === "") return;
    const ids = byName.get(name);
    if (ids) ids.push(id);
    else byName.set(name, [id]);
  };
  let mostParts = 1;
  for (const { id, displayName, mountpoint } of stations) {
    mostParts = Math.max(mostParts, displayName.split(SEPARATOR).length);
    const names = new Set([canonicalId(id), plain(displayName), plain(mountpoint ?? "")]);
    for (const name of names) add(name, id);
  }
  const find = (entry: string): readonly string[] | undefined =>
    byName.get(canonicalId(entry)) ?? byName.get(plain(entry));
  const ids = new Set<string>();
  const missing = new Set<string>();
  for (const line of text.split(/[\r\n]+/)) {
    const ends = [...line.matchAll(SEPARATORS)].map((match) => match.index).concat(line.length);
    for (let first = 0, startAt = 0; first < ends.length;) {
      let last = Math.min(ends.length, first + mostParts) - 1;
      while (last > first && !find(line.slice(startAt, ends[last]))) last--;
      const entry = unquoted(line.slice(startAt, ends[last]));
      const found = find(entry);
      if (!found && entry !== "") missing.add(entry);
      for (const id of found ?? []) ids.add(id);
      startAt = defined(ends[last]) + 1;
      first = last + 1;
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
