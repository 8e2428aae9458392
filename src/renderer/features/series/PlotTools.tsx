import { memo } from "react";
import { seriesFigure } from "#shared/plot/figure/seriesFigure.ts";
import type { CursorPlace, PanelModel } from "#shared/plot/panel.ts";
import { type CommandId, commandOf } from "#shared/commands.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Stage } from "../../plot/stage.ts";
import { panBy, snapToUnits } from "../../plot/view.ts";
import { runCommand, useCommand, useCommands } from "../../stores/commands.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Select, choicesFrom } from "../../ui/choices.tsx";
import { openDialog, saveFigure } from "../../stores/dialogs.ts";
import { ARRANGEMENT, RAW_SHOWN } from "./query.ts";
import { readMoment, spokenValues } from "../../plot/readout.ts";
import { copyText } from "../../stores/copyText.ts";
import { type MenuPosition, openContextMenu } from "../../ui/ContextMenu.tsx";
import type { MenuEntries, MenuEntry } from "../../ui/MenuButton.tsx";
import { aroundGap } from "../gaps/list.ts";
import { usePane } from "../../stores/pane.ts";

const ARRANGEMENTS = choicesFrom({
  lines: "Lines",
  offsets: "Offset lines",
  anomalies: "Anomalies",
  multiples: "Small multiples",
  hovmoller: "Hovmöller diagram",
});

export const ArrangementChoice = memo(function ArrangementChoice() {
  const [arrangement, choose] = usePane(ARRANGEMENT);
  return (
    <Select label="Arrangement of the lines" showLabel choices={ARRANGEMENTS} value={arrangement} onChange={choose} />
  );
});

/** The command that shows and hides rejected data; unavailable if the series itself is raw. */
export function useRawCommand(): void {
  const [isShown, show] = usePane(RAW_SHOWN);
  const isRaw = useWorkspace((s) => s.raw);
  useCommand("raw-rows", () => show(!isShown), !isRaw);
}

interface FigureProps {
  /** A ref, because the command reads the lines only when it runs. */
  readonly models: { readonly current: readonly PanelModel[] };
  readonly stage: Stage;
  /** Whether all lines have their data: without them, a figure would be empty. */
  readonly isRead: boolean;
  /** Stations that are drawn or hidden by the user. */
  readonly drawn: number;
  readonly selected: number;
}

/** The command that saves the current panels as a figure. */
export const FigureCommand = memo(function FigureCommand({ models, stage, isRead, drawn, selected }: FigureProps) {
  const save = (): void => saveFigure(seriesFigure(models.current, snapToUnits(stage.view()), { drawn, selected }));
  useCommand("figure", save, isRead || "The data are still being read. Save the figure when its lines are drawn.");
  return null;
});

const PAGE = 0.5;

/**
 * Returns how a key changes the view, or null. Page Up and Page Down move by half the view; Home and End show the first and
 * the newest data of the stations. Plus and minus are commands of the window; arrow keys move the cursor.
 */
export function plotKeys(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">,
  stations: readonly (CatalogueStation | undefined)[],
): ((view: TimeRange) => TimeRange) | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === "PageUp") return (view) => panBy(view, -span(view) * PAGE);
  if (key === "PageDown") return (view) => panBy(view, span(view) * PAGE);
  if (key === "Home") {
    const firstMs = Math.min(...stations.flatMap((s) => s?.historicDataFromMs ?? []));
    return Number.isFinite(firstMs) ? (view) => panBy(view, firstMs - view.startMs) : null;
  }
  if (key === "End") {
    const lastMs = Math.max(...stations.flatMap((s) => s?.dataLastUpdatedMs ?? []));
    return Number.isFinite(lastMs) ? (view) => panBy(view, lastMs - view.endMs) : null;
  }
  return null;
}

function span(view: TimeRange): number {
  return view.endMs - view.startMs;
}

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

export function openPlotMenu({ at, place, models, view, fetchGap, move }: PlotMenu): void {
  const gap = place?.gap ?? null;
  const momentMs = place && readMoment(models, place.momentMs, view);
  const entries: MenuEntries = [
    fetchGap !== null && {
      id: "fetch-gap",
      label: `${GAP_WORDS[gap?.cause ?? ""] ?? "Fetch this gap"}…`,
      onAction: fetchGap,
    },
    gap !== null && {
      id: "show-gap",
      label: "Zoom to this gap",
      onAction: () => move(() => aroundGap(gap.range, 30)),
    },
    gap !== null && null,
    momentMs !== null && {
      id: "copy",
      label: "Copy the values here",
      onAction: () => copyText(spokenValues(models, momentMs, null, Infinity), "The values were copied."),
    },
    momentMs !== null && {
      id: "note",
      label: "Note at this moment…",
      onAction: () => openDialog({ kind: "annotations", atMs: momentMs }),
    },
    ...(["gaps", "raw-rows"] as const).map(commandEntry),
    null,
    ...(["zoom.in", "zoom.out", "range.back"] as const).map(commandEntry),
    null,
    ...(["figure", "export"] as const).map(commandEntry),
  ];
  openContextMenu({ label: "Plot", ...at, entries });
}

const GAP_WORDS: Readonly<Record<string, string>> = {
  notRequested: "Fetch this gap",
  nothingOrFiltered: "Find the cause",
};

function commandEntry(id: CommandId): MenuEntry | false {
  if (!useCommands.getState().available.has(id)) return false;
  const { title, key } = commandOf(id);
  const detail = key === undefined ? {} : { detail: key.toUpperCase() };
  return { id, label: title, ...detail, onAction: () => void runCommand(id) };
}
