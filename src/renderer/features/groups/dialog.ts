import { create } from "zustand";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { findListed } from "#shared/station/list.ts";

type GroupsDialog = { readonly kind: "groups" } | { readonly kind: "list"; readonly text: string };

export const useGroupsDialog = create<{ readonly open: GroupsDialog | null }>(() => ({ open: null }));

export function openGroups(): void {
  useGroupsDialog.setState({ open: { kind: "groups" } });
}

/** Opens the dialog for a pasted list of stations, optionally with its text. */
export function openStationList(text = ""): void {
  useGroupsDialog.setState({ open: { kind: "list", text } });
}

export function closeGroupsDialog(): void {
  useGroupsDialog.setState({ open: null });
}

/** Whether a pasted text is a list of stations instead of a search query. */
export function isStationList(text: string): boolean {
  return /[\n,;\t]/.test(text.trim());
}

/** Whether a search query is a list that names at least two stations. */
export function namesStations(stations: readonly CatalogueStation[], query: string): boolean {
  return isStationList(query) && findListed(stations, query).ids.length > 1;
}
