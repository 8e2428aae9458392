import { create } from "zustand";
import type { SavedView } from "#shared/views/view.ts";
import { bridge } from "../../bridge/index.ts";
import { showFault } from "../../stores/toasts.ts";

export type ViewsDialog =
  | { readonly kind: "save" }
  | { readonly kind: "manage" }
  | { readonly kind: "rename"; readonly view: SavedView }
  /** What is shared: views by name; none of them where it is only what is chosen now. */
  | { readonly kind: "share"; readonly names: readonly string[] }
  | { readonly kind: "opening"; readonly name: string; readonly workId: string; readonly stop: () => void };

interface ViewStore {
  /** By name. */
  readonly views: readonly SavedView[];
  /** Names of those that cannot be read: damaged, or of a newer version. */
  readonly damaged: readonly string[];
  readonly dialog: ViewsDialog | null;
}

/** Saved views of all connections, and the dialog about them that is open. */
export const useViews = create<ViewStore>(() => ({ views: [], damaged: [], dialog: null }));

export function openViewsDialog(dialog: ViewsDialog | null): void {
  useViews.setState({ dialog });
}

async function load(): Promise<void> {
  const [answer, damaged] = await Promise.all([bridge.views.list({}), bridge.views.damaged({})]);
  if (damaged.ok) useViews.setState({ damaged: damaged.value });
  if (answer.ok) useViews.setState({ views: answer.value });
  else showFault(answer.error);
}

/** Keeps the list as it is kept, whichever window changes it; until the returned function is called. */
export function followViews(): () => void {
  void load();
  const offViews = bridge.on("viewsChanged", () => void load());
  const offEngine = bridge.on("engineRestarted", () => void load());
  return () => {
    offViews();
    offEngine();
  };
}
