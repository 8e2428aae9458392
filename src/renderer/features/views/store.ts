import { create } from "zustand";
import { cleanupOf } from "#shared/async.ts";
import type { SavedView } from "#shared/views/view.ts";
import { bridge } from "../../bridge/index.ts";
import { orShowFault } from "../../stores/toasts.ts";

export type ViewsDialog =
  | { readonly kind: "save" }
  | { readonly kind: "manage" }
  | { readonly kind: "rename"; readonly view: SavedView }
  /** Names of the views to share; empty to share only the current selection. */
  | { readonly kind: "share"; readonly names: readonly string[] }
  | { readonly kind: "opening"; readonly name: string; readonly workId: string; readonly stop: () => void };

interface ViewStore {
  /** Sorted by name. */
  readonly views: readonly SavedView[];
  /** Names of unreadable views: damaged, or from a newer version. */
  readonly damaged: readonly string[];
  readonly dialog: ViewsDialog | null;
}

/** The saved views of all connections, and the open dialog about them. */
export const useViews = create<ViewStore>(() => ({ views: [], damaged: [], dialog: null }));

export function openViewsDialog(dialog: ViewsDialog | null): void {
  useViews.setState({ dialog });
}

async function load(): Promise<void> {
  const [answer, damaged] = await Promise.all([orShowFault(bridge.views.list({})), bridge.views.damaged({})]);
  if (damaged.ok) useViews.setState({ damaged: damaged.value });
  if (answer.ok) useViews.setState({ views: answer.value });
}

/** Follows changes of the saved views by any window. Returns a function that stops it. */
export function followViews(): () => void {
  void load();
  return cleanupOf(
    bridge.on("viewsChanged", () => void load()),
    bridge.on("engineRestarted", () => void load()),
  );
}
