import { create } from "zustand";
import { type Capabilities, NO_DESKTOP } from "#shared/bridge/methods/system.ts";
import { ownTimeZone } from "#shared/schedule/when.ts";
import { bridge } from "../bridge/index.ts";

const NONE: Capabilities = { ...NO_DESKTOP, keys: "session", timeZone: ownTimeZone() };

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

/** Returns what the shell can do, after a window has loaded it with its commands. */
export function capabilitiesNow(): Capabilities {
  return useStore.getState();
}

async function load(): Promise<void> {
  const answer = await bridge.system.capabilities({});
  if (answer.ok) useStore.setState(answer.value);
  else isRequested = false;
}
