import { usageFault, type AppFault } from "#shared/fault.ts";
import type { Catalogue } from "#shared/service/catalogue.ts";
import { failure, type Result, success } from "#shared/service/error.ts";

/** The ids of networks that a person names by code, name or id, in any case. A name that fits none is a fault with what is near. */
export function findNetworks(
  { networks, stations }: Pick<Catalogue, "networks" | "stations">,
  words: readonly string[],
): Result<ReadonlySet<string>, AppFault> {
  // A network that only its stations tell of counts too.
  const known = [...networks, ...stations.map((s) => ({ id: s.networkId, code: s.networkCode, name: "" }))];
  const found = new Set<string>();
  for (const word of words.map((w) => w.trim())) {
    const matches = known.filter((n) =>
      [n.id, n.code, n.name].some((text) => text !== "" && fold(text) === fold(word)),
    );
    if (matches.length === 0) return failure(usageFault(unknownNetwork(known, word)));
    for (const { id } of matches) found.add(id);
  }
  return success(found);
}

interface Named {
  readonly code: string;
  readonly name: string;
}

export function unknownNetwork(known: readonly Named[], word: string): string {
  const codes = [...new Set(known.filter((n) => isNear(n, word)).map((n) => n.code))].slice(0, 3);
  const all = [...new Set(known.map((n) => n.code))];
  const hint =
    codes.length > 0
      ? ` Did you mean ${codes.map((c) => `“${c}”`).join(" or ")}?`
      : all.length > 0 && all.length <= 12
        ? ` There are ${all.join(", ")}.`
        : " “networks” lists them.";
  return `There is no network “${word}” in the catalogue of this connection.${hint}`;
}

const MOST_EDITS = 2;

function isNear({ code, name }: Named, word: string): boolean {
  const wanted = fold(word);
  if (wanted === "") return false;
  const texts = [fold(code), fold(name)].filter((text) => text !== "");
  return texts.some((t) => t.includes(wanted) || wanted.includes(t) || edits(t, wanted) <= MOST_EDITS);
}

/** Letters to add, drop or change to make one word of the other. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (a[i] === b[j] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** For comparing what people write: without case, and accents as one letter each. */
export function fold(text: string): string {
  return text.normalize("NFC").toLocaleLowerCase("en");
}
