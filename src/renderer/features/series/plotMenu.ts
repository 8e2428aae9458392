import { type CommandId, commandOf } from "#shared/commands.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { CursorPlace, PanelModel } from "#shared/plot/panel.ts";
import { readMoment } from "../../plot/moment.ts";
import { spokenValues } from "../../plot/spoken.ts";
import { runCommand, useCommands } from "../../stores/commands.ts";
import { copyText } from "../../stores/copyText.ts";
import { openContextMenu } from "../../ui/ContextMenu.tsx";
import type { MenuPosition } from "../../ui/contextMenuHandlers.ts";
import type { MenuEntry } from "../../ui/MenuButton.tsx";
import { aroundGap } from "../gaps/list.ts";

interface PlotMenu {
  readonly at: MenuPosition;
  /** The position under the menu; null outside the time range. */
  readonly place: CursorPlace | null;
  readonly models: readonly PanelModel[];
  readonly view: TimeRange;
  /** Fetches the gap under the menu; null if a download would not help. */
  readonly fetchGap: (() => void) | null;
  readonly move: (change: (view: TimeRange) => TimeRange) => void;
}

/** Opens the context menu of the plot. */
export function openPlotMenu({ at, place, models, view, fetchGap, move }: PlotMenu): void {
  const gap = place?.gap ?? null;
  const momentMs = place && readMoment(models, place.momentMs, view);
  const entries: (MenuEntry | null)[] = [
    ...(fetchGap
      ? [{ id: "fetch-gap", label: `${GAP_WORDS[gap?.cause ?? ""] ?? "Fetch this gap"}…`, onAction: fetchGap }]
      : []),
    ...(gap
      ? [{ id: "show-gap", label: "Zoom to this gap", onAction: () => move(() => aroundGap(gap.range, 30)) }, null]
      : []),
    ...(momentMs === null
      ? []
      : [
          {
            id: "copy",
            label: "Copy the values here",
            onAction: () => copyText(spokenValues(models, momentMs, null, Infinity), "The values were copied."),
          },
        ]),
    ...(["gaps", "raw-rows"] as const).flatMap(commandEntry),
    null,
    ...(["zoom.in", "zoom.out", "range.back"] as const).flatMap(commandEntry),
    null,
    ...(["figure", "export"] as const).flatMap(commandEntry),
  ];
  openContextMenu({ label: "Plot", ...at, entries });
}

const GAP_WORDS: Readonly<Record<string, string>> = {
  notAsked: "Fetch this gap",
  nothingOrFiltered: "Show rejected data",
};

function commandEntry(id: CommandId): MenuEntry[] {
  if (!useCommands.getState().available.has(id)) return [];
  const { title, key } = commandOf(id);
  const detail = key === undefined ? {} : { detail: key.toUpperCase() };
  return [{ id, label: title, ...detail, onAction: () => void runCommand(id) }];
}
