import { create } from "zustand";
import { cleanupOf } from "#shared/async.ts";
import type { SavedView } from "#shared/views/view.ts";
import { bridge } from "../../bridge/index.ts";
import { orShowFault } from "../../stores/toasts.ts";

interface ViewStore {
  /** Sorted by name. */
  readonly views: readonly SavedView[];
  /** Names of unreadable views: damaged, or from a newer version. */
  readonly damaged: readonly string[];
}

/** The saved views of all connections. */
export const useViews = create<ViewStore>(() => ({ views: [], damaged: [] }));

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
