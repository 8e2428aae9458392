import { create } from "zustand";
import type { Capabilities } from "#shared/bridge/methods/system.ts";
import { ownTimeZone } from "#shared/schedule/when.ts";
import { bridge } from "../bridge/index.ts";

const NONE: Capabilities = {
  shell: "test",
  fileDialogs: false,
  openFiles: "none",
  downloads: false,
  showInFolder: false,
  openExternal: false,
  notifications: false,
  nativeMenus: false,
  newWindow: false,
  keys: "session",
  timeZone: ownTimeZone(),
};

const useStore = create<Capabilities>(() => NONE);
let isRequested = false;

/** Returns what the shell can do; nothing until that is loaded. */
export function useCapabilities(): Capabilities {
  if (!isRequested) {
    isRequested = true;
    void load();
  }
  return useStore();
}

async function load(): Promise<void> {
  const answer = await bridge.system.capabilities({});
  if (answer.ok) useStore.setState(answer.value);
  else isRequested = false;
}
