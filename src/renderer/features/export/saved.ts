import { create } from "zustand";
import type { KeptExport } from "#shared/bridge/methods/export.ts";
import type { SavedExport } from "#shared/file/savedExport.ts";
import { bridge } from "../../bridge/index.ts";
import { showFault } from "../../stores/toasts.ts";

type ExportPage =
  | { readonly kind: "new" }
  /** `focus` is the name of the export whose button gets the focus. */
  | { readonly kind: "saved"; readonly focus: string | null }
  /** `name` is the saved name; null for a copy that is not saved yet. */
  | { readonly kind: "edit"; readonly name: string | null; readonly saved: SavedExport };

interface ExportStore {
  /** The saved exports of all connections, sorted by name. */
  readonly saved: readonly KeptExport[];
  /** The page that the dialog shows; null if it is closed. */
  readonly page: ExportPage | null;
}

/** The saved exports, and the state of the export dialog. */
export const useExports = create<ExportStore>(() => ({ saved: [], page: null }));

export function openExportPage(page: ExportPage | null): void {
  useExports.setState({ page });
}

async function load(): Promise<void> {
  const answer = await bridge.export.saved({});
  if (answer.ok) useExports.setState({ saved: answer.value });
  else showFault(answer.error);
}

/** Follows changes of the saved exports by any window. Returns a function that stops it. */
export function followSavedExports(): () => void {
  void load();
  const offSaved = bridge.on("savedExportsChanged", () => void load());
  // Removing a connection removes its exports.
  const offConnections = bridge.on("connectionsChanged", () => void load());
  const offEngine = bridge.on("engineRestarted", () => void load());
  return () => {
    offSaved();
    offConnections();
    offEngine();
  };
}
