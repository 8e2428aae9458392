import { useEffect } from "react";
import { create } from "zustand";
import type { ReleaseNews } from "#shared/bridge/methods/releases.ts";
import { bridge } from "../bridge/index.ts";
import { useSettings } from "./settings.ts";

interface ReleaseStore {
  /** Where installers are published; null where this build does not know. */
  readonly address: string | null;
  /** null before the feed was asked. */
  readonly news: ReleaseNews | null;
  readonly isAsking: boolean;
  /** Why the last question had no answer. */
  readonly problem: string | null;
}

export const useReleases = create<ReleaseStore>(() => ({ address: null, news: null, isAsking: false, problem: null }));

/** Asks because the user wants it now. */
export async function askForRelease(): Promise<void> {
  useReleases.setState({ isAsking: true, problem: null });
  const answer = await bridge.releases.check({ isAsked: true });
  useReleases.setState({
    isAsking: false,
    ...(answer.ok ? { news: answer.value } : { problem: answer.error.message }),
  });
}

async function findAddress(): Promise<void> {
  const answer = await bridge.releases.address({});
  if (answer.ok) useReleases.setState({ address: answer.value });
}

/** A feed out of reach is nothing to disturb anybody with. */
async function checkDaily(): Promise<void> {
  const answer = await bridge.releases.check({ isAsked: false });
  if (answer.ok && answer.value !== null) useReleases.setState({ news: answer.value });
}

/** Asks at most once a day, where the user switched that on. */
export function useReleaseWatch(): void {
  const isOn = useSettings((s) => s.settings.checkReleases);
  useEffect(() => void findAddress(), []);
  useEffect(() => {
    if (isOn) void checkDaily();
  }, [isOn]);
}
