import { create } from "zustand";
import type { OrphanedCache } from "#shared/bridge/methods/connections.ts";
import type { ConnectionInfo } from "#shared/connection.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import type { SavedExport } from "#shared/file/savedExport.ts";
import type { FigureSource } from "#shared/plot/figure/page.ts";
import type { Schedule } from "#shared/schedule/schedule.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { SavedView } from "#shared/views/view.ts";
import type { AnimationSource } from "../plot/figure/animation.ts";

export type ExportPage =
  /** `previous` has the settings to begin with. */
  | { readonly page: "new"; readonly previous?: SavedExport }
  /** `focus` is the name of the export whose button gets the focus. */
  | { readonly page: "saved"; readonly focus: string | null }
  /** `name` is the saved name; null for a new one or a copy, which is not saved yet. */
  | { readonly page: "edit"; readonly name: string | null; readonly saved: SavedExport };

type ViewsPage =
  | { readonly page: "save" | "manage" }
  | { readonly page: "rename"; readonly view: SavedView }
  /** Names of the views to share; empty to share only the current selection. */
  | { readonly page: "share"; readonly names: readonly string[] }
  | { readonly page: "opening"; readonly name: string; readonly workId: string; readonly stop: () => void };

/** A dialog of the window with what it is about. */
type OpenDialog =
  | { readonly kind: "palette" | "shortcuts" | "about" | "connect" | "release" | "log" | "groups" | "fetch" }
  | { readonly kind: "rename" | "key"; readonly connection: ConnectionInfo }
  | { readonly kind: "adopt"; readonly cache: OrphanedCache }
  /** A pasted list of stations, with its text. */
  | { readonly kind: "stationList"; readonly text: string }
  | { readonly kind: "figure"; readonly source: FigureSource }
  | { readonly kind: "animation"; readonly source: AnimationSource }
  /** Thresholds and notes; `atMs` is the moment that a new note has at first. */
  | { readonly kind: "annotations"; readonly atMs: UtcMs }
  /** The columns of a text table. */
  | { readonly kind: "columns"; readonly file: OpenedFile }
  /** A schedule that is being created (`id` null) or edited. */
  | { readonly kind: "schedule"; readonly id: string | null; readonly schedule: Schedule }
  | ({ readonly kind: "export" } & ExportPage)
  | ({ readonly kind: "views" } & ViewsPage);

export type DialogKind = OpenDialog["kind"];
export type DialogOf<K extends DialogKind> = OpenDialog & { readonly kind: K };

/** The open dialogs, the topmost last: the palette and what it opens stand over a form, which keeps what was typed. */
const useDialogs = create<{ readonly open: readonly OpenDialog[] }>(() => ({ open: [] }));

/** Returns the content of the open dialog of this kind; null if none is open. */
export function useDialog<K extends DialogKind>(kind: K): DialogOf<K> | null {
  return useDialogs(({ open }) => open.find((dialog): dialog is DialogOf<K> => dialog.kind === kind) ?? null);
}

export function isDialogOpen(kind: DialogKind): boolean {
  return useDialogs.getState().open.some((dialog) => dialog.kind === kind);
}

/** Opens a dialog, in place of an open one of its kind. */
export function openDialog(dialog: OpenDialog): void {
  useDialogs.setState(({ open }) => ({ open: [...open.filter(({ kind }) => kind !== dialog.kind), dialog] }));
}

/** Opens the dialog that saves or copies a figure. */
export function saveFigure(source: FigureSource): void {
  openDialog({ kind: "figure", source });
}

export function closeDialog(kind: DialogKind): void {
  useDialogs.setState(({ open }) => ({ open: open.filter((dialog) => dialog.kind !== kind) }));
}
