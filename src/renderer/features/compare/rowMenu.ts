import { copyText } from "../../stores/copyText.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { type MenuPosition, openContextMenu } from "../../ui/ContextMenu.tsx";
import type { MenuEntry } from "../../ui/MenuButton.tsx";

/** A row of a table that compares stations. */
interface ComparedRow {
  /** The cells as they are copied; the first one is the name of the row. */
  readonly cells: readonly string[];
  /** Stations of the catalogue; empty for a row of a file. */
  readonly stationIds: readonly string[];
  /** Additional entries at the top. */
  readonly first?: readonly MenuEntry[];
}

export function openRowMenu({ cells, stationIds, first = [] }: ComparedRow, at: MenuPosition): void {
  const hasStations = stationIds.length > 0;
  const target = stationIds.length === 1 ? "this station" : "these stations";
  const selectOnly = (view?: string) => (): void => {
    selectStations([...stationIds]);
    if (view !== undefined) useWorkspace.setState({ view });
  };
  openContextMenu({
    label: cells[0] ?? "",
    ...at,
    entries: [
      ...first,
      hasStations && { id: "series", label: `Show only ${target} in Series`, onAction: selectOnly("series") },
      hasStations && { id: "only", label: `Select only ${target}`, onAction: selectOnly() },
      null,
      { id: "copy", label: "Copy row", onAction: () => copyText(cells.join("\t"), "The row was copied.") },
    ],
  });
}
