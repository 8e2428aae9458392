import { copyText } from "../../stores/copyText.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { contextMenuHandlers, type MenuPosition, openContextMenu } from "../../ui/ContextMenu.tsx";
import type { MenuEntry } from "../../ui/MenuButton.tsx";

/** A row of a table that compares stations. */
interface ComparedRow {
  readonly label: string;
  /** The cells as they are copied. */
  readonly cells: readonly string[];
  /** Stations of the catalogue; empty for a row of a file. */
  readonly stationIds: readonly string[];
  /** Additional entries at the top. */
  readonly first?: readonly MenuEntry[];
}

/** Handlers of a table whose rows have a context menu. `data-row` of each `tr` is its index in `rows`. */
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
  const index = element?.closest<HTMLElement>("tr[data-row]")?.dataset["row"];
  return index === undefined ? undefined : rows[Number(index)];
}

function openRowMenu({ label, cells, stationIds, first = [] }: ComparedRow, at: MenuPosition): void {
  const target = stationIds.length === 1 ? "this station" : "these stations";
  const selectOnly = (view?: string) => (): void => {
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
            { id: "series", label: `Show only ${target} in Series`, onAction: selectOnly("series") },
            { id: "only", label: `Select only ${target}`, onAction: selectOnly() },
          ]),
      null,
      { id: "copy", label: "Copy row", onAction: () => copyText(cells.join("\t"), "Row copied.") },
    ],
  });
}
