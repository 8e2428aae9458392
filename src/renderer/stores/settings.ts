import { create } from "zustand";
import { DEFAULT_SETTINGS, type Settings } from "#shared/bridge/methods/settings.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { bridge } from "../bridge/index.ts";
import { orShowFault } from "./toasts.ts";

interface SettingsStore {
  readonly settings: Settings;
  /** Applies a change at once, then saves it; the core informs all windows. */
  change(part: Partial<Settings>): Promise<void>;
}

export const useSettings = create<SettingsStore>((set, get) => ({
  settings: DEFAULT_SETTINGS,
  async change(part) {
    set({ settings: { ...get().settings, ...part } });
    await orReload(bridge.settings.write(part));
  },
}));

/** Shows what is saved if a change could not be. */
async function orReload(saving: Promise<Result<unknown, AppFault>>): Promise<void> {
  const answer = await orShowFault(saving);
  if (!answer.ok) await loadSettings();
}

/** Applies a change of the groups of stations at once, then saves it. */
export async function changeGroups(after: Settings["stationGroups"]): Promise<void> {
  const { settings } = useSettings.getState();
  useSettings.setState({ settings: { ...settings, stationGroups: after } });
  await orReload(bridge.settings.changeGroups({ before: settings.stationGroups, after }));
}

export async function loadSettings(): Promise<void> {
  const answer = await orShowFault(bridge.settings.read({}));
  if (answer.ok) useSettings.setState({ settings: answer.value });
}

export function followSettings(): void {
  bridge.on("settingsChanged", (settings) => useSettings.setState({ settings }));
}
