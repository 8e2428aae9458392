import type { KeptExport } from "#shared/bridge/methods/export.ts";
import { type Command, type CommandId, COMMANDS } from "#shared/commands.ts";
import { defined } from "#shared/defined.ts";
import { type Catalogue, type CatalogueStation, stationLabel } from "#shared/service/catalogue.ts";
import { fold } from "#shared/station/search.ts";
import { endsOf, parseTypedRange, PRESETS, resolveMovingRange } from "#shared/time/typed.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { SavedView } from "#shared/views/view.ts";
import type { ShownTime } from "../../stores/range.ts";

/** An item of the palette with its search texts, folded in advance so that the search keeps up with typing. */
export interface Findable<Item> {
  readonly key: string;
  readonly item: Item;
  /** The folded name. */
  readonly name: string;
  /** Further folded texts, such as place and network. */
  readonly more: string;
}

export function findable<Item>(key: string, item: Item, name: string, more: readonly string[]): Findable<Item> {
  return { key, item, name: fold(name), more: fold(more.join("\n")) };
}

const RANKS = 6;
const NO_MATCH = RANKS;

/**
 * Returns the items that match the query, best first: names that start with it, contain a word that starts with it, or
 * contain it anywhere; then places and networks; then names whose words begin with its letters. Within a rank, recent
 * items come first and the others keep their order. An empty query matches everything.
 *
 * @param recent keys of recently used items, the latest first
 */
export function search<Item>(
  all: readonly Findable<Item>[],
  query: string,
  recent: readonly string[],
): readonly Findable<Item>[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const ranks: Findable<Item>[][] = Array.from({ length: RANKS }, () => []);
  for (const item of all) ranks[words.length === 0 ? 0 : rankOf(item, words)]?.push(item);
  const age = new Map(recent.map((key, i) => [key, i]));
  return ranks.flatMap((items) => recentFirst(items, age));
}

/** Returns the worst rank among the words, all of which must match. */
function rankOf({ name, more }: Findable<unknown>, words: readonly string[]): number {
  let worst = 0;
  for (const word of words) worst = Math.max(worst, rankOfWord(name, more, word));
  return worst;
}

function rankOfWord(name: string, more: string, word: string): number {
  const at = name.indexOf(word);
  if (at === 0) return 0;
  if (at > 0) return isWordStart(name, at) || name.includes(` ${word}`) ? 1 : 2;
  const elsewhere = more.indexOf(word);
  if (elsewhere >= 0) return isWordStart(more, elsewhere) ? 3 : 4;
  return word.length > 1 && beginWords(name, word) ? 5 : NO_MATCH;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[\s\-_.,"(/]/.test(text.charAt(at - 1));
}

/** Whether the letters are the beginnings of words in this order: "dgf" or "dramfyr" for "Drammenvik Gamle Fyr". */
function beginWords(text: string, letters: string, from = 0): boolean {
  if (letters === "") return true;
  for (let at = from; at < text.length; at++) {
    if (!isWordStart(text, at)) continue;
    let length = 0;
    while (length < letters.length && text.charAt(at + length) === letters.charAt(length)) length++;
    for (; length > 0; length--) if (beginWords(text, letters.slice(length), at + length)) return true;
  }
  return false;
}

function recentFirst<Item>(found: readonly Findable<Item>[], age: ReadonlyMap<string, number>): Findable<Item>[] {
  const isRecent = (one: Findable<Item>): boolean => age.has(one.key);
  const recent = found.filter(isRecent);
  if (recent.length === 0) return [...found];
  recent.sort((a, b) => defined(age.get(a.key)) - defined(age.get(b.key)));
  return [...recent, ...found.filter((one) => !isRecent(one))];
}

export type PaletteItem =
  | {
      readonly kind: "command";
      readonly command: Command & { readonly id: CommandId };
      /** Why it cannot run now, which running it says; null if it can. */
      readonly reason: string | null;
    }
  | { readonly kind: "view"; readonly view: SavedView }
  | { readonly kind: "export"; readonly saved: KeptExport }
  | { readonly kind: "range"; readonly shown: ShownTime }
  | { readonly kind: "station"; readonly station: CatalogueStation };

const NO_REASONS: ReadonlyMap<CommandId, string> = new Map();

/** The commands that can run now or say why they cannot, without the one that opens the palette. */
export function commandItems(
  running: ReadonlyMap<CommandId, () => void>,
  reasons = NO_REASONS,
): readonly Findable<PaletteItem>[] {
  return COMMANDS.flatMap((command: Command & { readonly id: CommandId }) => {
    const reason = running.has(command.id) ? null : reasons.get(command.id);
    if (command.id === "palette" || reason === undefined) return [];
    return [
      findable(`command:${command.id}`, { kind: "command", command, reason } as const, command.title, [
        command.also ?? "",
      ]),
    ];
  });
}

/** The presets of the time range, found by their titles. */
export function presetItems(nowMs: UtcMs): readonly Findable<PaletteItem>[] {
  return PRESETS.flatMap(({ title, start, end }) => {
    const moving = { start, end };
    const range = resolveMovingRange(moving, nowMs);
    return range
      ? [findable(`range:${title}`, { kind: "range", shown: { range, moving } }, title, ["time range"])]
      : [];
  });
}

/**
 * The time range that a query names, such as "2026-11-14", "yesterday" or "2026-11-14 to 2026-11-16"; none for other texts,
 * and for a preset, which is an item of its own.
 */
export function rangeItems(query: string, nowMs: UtcMs): readonly Findable<PaletteItem>[] {
  const text = query.trim();
  // Shorter texts are parts of names.
  if (text.length < 4 || PRESETS.some(({ title }) => fold(title) === fold(text))) return [];
  const { start, end } = endsOf(text, nowMs) ?? { start: text, end: "" };
  const typed = parseTypedRange(start, end, nowMs);
  if (!typed.ok) return [];
  return [findable(`range:${text}`, { kind: "range", shown: { range: typed.range, moving: typed.moving } }, text, [])];
}

/** Saved views, found by their names and by "view". */
export function viewItems(views: readonly SavedView[]): readonly Findable<PaletteItem>[] {
  return views.map((view) => findable(`view:${view.name}`, { kind: "view", view }, `View: ${view.name}`, []));
}

/** Saved exports of a connection, found by their names and by "export". */
export function exportItems(all: readonly KeptExport[], connectionId: string): readonly Findable<PaletteItem>[] {
  return all
    .filter((saved) => saved.connectionId === connectionId)
    .map((saved) => findable(`export:${saved.name}`, { kind: "export", saved }, `Run export: ${saved.name}`, []));
}

const itemsByCatalogue = new WeakMap<Catalogue, readonly Findable<PaletteItem>[]>();

/** The stations of a catalogue. Cached, so that the palette opens without delay even with many stations. */
export function stationItems(catalogue: Catalogue): readonly Findable<PaletteItem>[] {
  const items = itemsByCatalogue.get(catalogue) ?? createStationItems(catalogue);
  itemsByCatalogue.set(catalogue, items);
  return items;
}

function createStationItems({ stations, networks }: Catalogue): readonly Findable<PaletteItem>[] {
  const names = new Map(networks.map((n) => [n.id, n.name]));
  return stations.map((station) =>
    findable(`station:${station.id}`, { kind: "station", station }, stationLabel(station), [
      station.locationAlias,
      station.networkCode,
      names.get(station.networkId) ?? "",
      station.countryCode,
    ]),
  );
}
