import { copyText } from "../../stores/copyText.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { openContextMenu } from "../../ui/ContextMenu.tsx";
import { contextMenuHandlers, type MenuPosition } from "../../ui/contextMenuHandlers.ts";
import type { MenuEntry } from "../../ui/MenuButton.tsx";

/** A row of a table that compares stations. */
export interface ComparedRow {
  readonly label: string;
  /** As it is copied, cell by cell. */
  readonly cells: readonly string[];
  /** Stations of the catalogue; empty for a row of a file. */
  readonly stationIds: readonly string[];
  /** Entries before the usual ones. */
  readonly first?: readonly MenuEntry[];
}

/** Handlers of a table whose rows (`tr[data-row]`, its place among `rows`) have a context menu. */
export function rowMenu(rows: readonly ComparedRow[]): ReturnType<typeof contextMenuHandlers> {
  return contextMenuHandlers(
    (target, at) => {
      const row = rowOf(target ?? document.activeElement, rows);
      if (row) openRowMenu(row, at);
      return row !== undefined;
    },
    () => document.activeElement?.closest("tr") ?? null,
  );
}

function rowOf(element: Element | null, rows: readonly ComparedRow[]): ComparedRow | undefined {
  const place = element?.closest<HTMLElement>("tr[data-row]")?.dataset["row"];
  return place === undefined ? undefined : rows[Number(place)];
}

function openRowMenu({ label, cells, stationIds, first = [] }: ComparedRow, at: MenuPosition): void {
  const these = stationIds.length === 1 ? "this station" : "these stations";
  const only = (view?: string) => (): void => {
    selectStations([...stationIds]);
    if (view !== undefined) useWorkspace.setState({ view });
  };
  openContextMenu({
    label,
    ...at,
    entries: [
      ...first,
      ...(stationIds.length === 0
        ? []
        : [
            { id: "series", label: `Show only ${these} in Series`, onAction: only("series") },
            { id: "only", label: `Select only ${these}`, onAction: only() },
          ]),
      null,
      { id: "copy", label: "Copy the row", onAction: () => copyText(cells.join("\t"), "The row is copied.") },
    ],
  });
}
