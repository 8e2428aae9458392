import { useEffect } from "react";
import { create } from "zustand";
import type { About } from "#shared/bridge/methods/system.ts";
import { bridge } from "../bridge/index.ts";

const useStore = create<{ readonly about: About | null }>(() => ({ about: null }));

/** What the program is and where its data lie; null until it has said so. */
export function useAbout(): About | null {
  useEffect(() => {
    if (useStore.getState().about === null) void ask();
  }, []);
  return useStore((s) => s.about);
}

async function ask(): Promise<void> {
  const answer = await bridge.system.about({});
  if (answer.ok) useStore.setState({ about: answer.value });
}
