import { stationLabel } from "#shared/service/catalogue.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { copyText } from "../../stores/copyText.ts";
import { focusStation } from "../../stores/focus.ts";
import { isFavourite, toggleFavourite } from "../../stores/groups.ts";
import { showRange } from "../../stores/range.ts";
import { addStation, selectStations, useWorkspace } from "../../stores/workspace.ts";
import { openContextMenu } from "../../ui/ContextMenu.tsx";

/** Adds a station to the selection, or removes it. */
export function toggleStation(stationId: string): void {
  const { stationIds } = useWorkspace.getState();
  const others = stationIds.filter((id) => id !== stationId);
  selectStations(others.length === stationIds.length ? [...stationIds, stationId] : others);
}

/** Opens the context menu of a station at a position of the window. */
export function openStationMenu(stationId: string, at: { readonly x: number; readonly y: number }): void {
  const station = useCatalogue.getState().byId.get(stationId);
  if (!station) return;
  focusStation(stationId);
  const label = stationLabel(station);
  const isSelected = useWorkspace.getState().stationIds.includes(stationId);
  const { historicDataFromMs: firstMs, dataLastUpdatedMs: lastMs } = station;
  const show = (view: string) => (): void => {
    addStation(stationId);
    useWorkspace.setState({ view });
  };
  const entries = [
    { id: "toggle", label: isSelected ? "Deselect" : "Select", onAction: () => toggleStation(stationId) },
    { id: "only", label: "Select only this station", onAction: () => selectStations([stationId]) },
    {
      id: "favourite",
      label: isFavourite(stationId) ? "Remove from Favourites" : "Add to Favourites",
      onAction: () => toggleFavourite(stationId),
    },
    null,
    { id: "series", label: "Show in Series", onAction: show("series") },
    { id: "map", label: "Show on the map", onAction: show("map") },
    { id: "availability", label: "Show availability", onAction: show("availability") },
    {
      id: "history",
      label: "Show its whole history",
      isDisabled: firstMs === null || lastMs === null,
      onAction() {
        if (firstMs !== null && lastMs !== null) showRange({ startMs: firstMs, endMs: lastMs + 1_000 });
      },
    },
    null,
    { id: "copy-name", label: "Copy name", onAction: () => copyText(label, "The station name was copied.") },
    { id: "copy-id", label: "Copy ID", onAction: () => copyText(stationId, "The station ID was copied.") },
  ];
  openContextMenu({ label, ...at, entries });
}
