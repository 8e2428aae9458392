import { useEffect } from "react";
import { create } from "zustand";
import type { About } from "#shared/bridge/methods/system.ts";
import { bridge } from "../bridge/index.ts";

const useAboutStore = create<{ readonly about: About | null }>(() => ({ about: null }));

/** Returns the version of the application and the location of its data; null until it is loaded. */
export function useAbout(): About | null {
  useEffect(() => {
    if (useAboutStore.getState().about === null) void load();
  }, []);
  return useAboutStore((s) => s.about);
}

async function load(): Promise<void> {
  const answer = await bridge.system.about({});
  if (answer.ok) useAboutStore.setState({ about: answer.value });
}
