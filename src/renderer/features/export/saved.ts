import { create } from "zustand";
import type { KeptExport } from "#shared/bridge/methods/export.ts";
import type { SavedExport } from "#shared/file/savedExport.ts";
import { bridge } from "../../bridge/index.ts";
import { showFault } from "../../stores/toasts.ts";

export type ExportPage =
  | { readonly kind: "new" }
  /** `focus` names the one whose button is to have the focus. */
  | { readonly kind: "saved"; readonly focus: string | null }
  /** `name` is the one under which it is kept; null for a copy that is not kept yet. */
  | { readonly kind: "edit"; readonly name: string | null; readonly saved: SavedExport };

interface ExportStore {
  /** Of all connections, by name. */
  readonly saved: readonly KeptExport[];
  /** What the dialog shows; null where it is closed. */
  readonly page: ExportPage | null;
}

/** Exports that the user gave a name, and the dialog about exports. */
export const useExports = create<ExportStore>(() => ({ saved: [], page: null }));

export function openExportPage(page: ExportPage | null): void {
  useExports.setState({ page });
}

async function load(): Promise<void> {
  const answer = await bridge.export.saved({});
  if (answer.ok) useExports.setState({ saved: answer.value });
  else showFault(answer.error);
}

/** Keeps the list as it is kept, whichever window changes it; until the returned function is called. */
export function followSavedExports(): () => void {
  void load();
  const offSaved = bridge.on("savedExportsChanged", () => void load());
  // With a connection go its exports.
  const offConnections = bridge.on("connectionsChanged", () => void load());
  const offEngine = bridge.on("engineRestarted", () => void load());
  return () => {
    offSaved();
    offConnections();
    offEngine();
  };
}
