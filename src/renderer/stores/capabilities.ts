import { useEffect } from "react";
import { create } from "zustand";
import { type About, type Capabilities, NO_DESKTOP } from "#shared/bridge/methods/system.ts";
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

async function load(): Promise<void> {
  const answer = await bridge.system.capabilities({});
  if (answer.ok) useStore.setState(answer.value);
  else isRequested = false;
}

const useAboutStore = create<{ readonly about: About | null }>(() => ({ about: null }));

/** Returns the version of the application and the location of its data; null until it is loaded. */
export function useAbout(): About | null {
  useEffect(() => {
    if (useAboutStore.getState().about === null) void loadAbout();
  }, []);
  return useAboutStore((s) => s.about);
}

async function loadAbout(): Promise<void> {
  const answer = await bridge.system.about({});
  if (answer.ok) useAboutStore.setState({ about: answer.value });
}
