import { z } from "zod";
import type { Site } from "#shared/comparison.ts";
import { parseStored } from "#shared/storedJson.ts";
import { type ChosenMatches, siteName } from "../../analysis/collocation/sites.ts";
import type { UserStore } from "../../store/index.ts";

const SETTING = "siteMatches";
const MAX_MATCHES = 5_000;
const matchesSchema = z.array(z.object({ a: z.string(), b: z.string().nullable() }));

/** Matches of sites that the user chose, kept for later comparisons with the same sites. */
export class SiteMatches {
  readonly #users: Pick<UserStore, "setting" | "putSetting">;

  constructor(users: Pick<UserStore, "setting" | "putSetting">) {
    this.#users = users;
  }

  /** The kept matches between these sites. */
  chosen(a: readonly Site[], b: readonly Site[]): ChosenMatches {
    const all = this.#kept();
    const unmatched = new Set(all.flatMap((match) => (match.b === null ? [match.a] : [])));
    const partners = new Map(all.flatMap((match) => inBothDirections(match)));
    const sitesOfB = new Map(b.map((site) => [siteKey(site), site.id]));
    const pairs = a.flatMap((site): [string, string][] => {
      const other = sitesOfB.get(partners.get(siteKey(site)) ?? "");
      return other === undefined ? [] : [[site.id, other]];
    });
    const idsIn = (sites: readonly Site[]): Set<string> =>
      new Set(sites.filter((site) => unmatched.has(siteKey(site))).map((site) => site.id));
    return { pairs: new Map(pairs), unmatchedA: idsIn(a), unmatchedB: idsIn(b) };
  }

  /** @param b null: the site has no match; undefined: forget what was chosen */
  choose(a: Site, b: Site | null | undefined): void {
    const [keyA, keyB] = [siteKey(a), b ? siteKey(b) : null];
    const others = this.#kept().filter((match) => match.a !== keyA && match.b !== keyA);
    const next = b === undefined ? others : [{ a: keyA, b: keyB }, ...others];
    this.#users.putSetting(SETTING, JSON.stringify(next.slice(0, MAX_MATCHES)));
  }

  #kept() {
    return parseStored(matchesSchema, this.#users.setting(SETTING)) ?? [];
  }
}

function inBothDirections({ a, b }: { readonly a: string; readonly b: string | null }): [string, string][] {
  if (b === null) return [];
  return [
    [a, b],
    [b, a],
  ];
}

/** Identifies a site across files: by its name, and its position to about a kilometre. */
function siteKey({ label, stationId, position }: Site): string {
  const place = position ? `${position.latitudeDeg.toFixed(2)},${position.longitudeDeg.toFixed(2)}` : "";
  return [stationId ?? siteName(label) ?? label, place].join("@");
}
