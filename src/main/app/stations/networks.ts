import { lettersBetween, MAX_EDITS } from "#shared/similarNames.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { Catalogue } from "#shared/service/catalogue.ts";
import { type Result, success } from "#shared/service/error.ts";

/** Finds networks by code, name or id, ignoring case. The fault for an unknown one suggests similar names. */
export function findNetworks(
  { networks, stations }: Pick<Catalogue, "networks" | "stations">,
  words: readonly string[],
): Result<ReadonlySet<string>, AppFault> {
  // Includes networks that are known only from their stations.
  const known = [...networks, ...stations.map((s) => ({ id: s.networkId, code: s.networkCode, name: "" }))];
  const found = new Set<string>();
  for (const word of words.map((w) => w.trim())) {
    const matches = known.filter((n) =>
      [n.id, n.code, n.name].some((text) => text !== "" && fold(text) === fold(word)),
    );
    if (matches.length === 0) return usageFailure(unknownNetwork(known, word));
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

function isNear({ code, name }: Named, word: string): boolean {
  const wanted = fold(word);
  if (wanted === "") return false;
  const texts = [fold(code), fold(name)].filter((text) => text !== "");
  return texts.some((t) => t.includes(wanted) || wanted.includes(t) || lettersBetween(t, wanted) <= MAX_EDITS);
}

/** Normalizes text for comparison: lower case, with composed accents. */
export function fold(text: string): string {
  return text.normalize("NFC").toLocaleLowerCase("en");
}
