import type { KeptExport } from "#shared/bridge/methods/export.ts";
import { type Command, type CommandId, COMMANDS } from "#shared/commands.ts";
import { type Catalogue, type CatalogueStation, stationLabel } from "#shared/service/catalogue.ts";
import type { SavedView } from "#shared/views/view.ts";
import { type Findable, findable } from "./search.ts";

export type PaletteItem =
  | {
      readonly kind: "command";
      readonly command: Command & { readonly id: CommandId };
      /** Why it cannot run now, which running it says; null if it can. */
      readonly reason: string | null;
    }
  | { readonly kind: "view"; readonly view: SavedView }
  | { readonly kind: "export"; readonly saved: KeptExport }
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
