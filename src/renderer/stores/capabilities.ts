import { create } from "zustand";
import type { Capabilities } from "#shared/bridge/methods/system.ts";
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
};

const useStore = create<Capabilities>(() => NONE);
let isAsked = false;

/** What the shell can do; nothing until it has said so. */
export function useCapabilities(): Capabilities {
  if (!isAsked) {
    isAsked = true;
    void ask();
  }
  return useStore();
}

async function ask(): Promise<void> {
  const answer = await bridge.system.capabilities({});
  if (answer.ok) useStore.setState(answer.value);
  else isAsked = false;
}
