import { useEffect } from "react";
import { create } from "zustand";
import type { ReleaseNews } from "#shared/bridge/methods/settings.ts";
import { bridge } from "../bridge/index.ts";
import { useSettings } from "./settings.ts";

interface ReleaseStore {
  /** Where installers are published; null if this build does not know. */
  readonly address: string | null;
  /** null before the feed was requested. */
  readonly news: ReleaseNews | null;
  readonly isChecking: boolean;
  /** Why the last check failed. */
  readonly problem: string | null;
}

export const useReleases = create<ReleaseStore>(() => ({
  address: null,
  news: null,
  isChecking: false,
  problem: null,
}));

/** Checks for a new release at the user's request. */
export async function checkForRelease(): Promise<void> {
  useReleases.setState({ isChecking: true, problem: null });
  const answer = await bridge.releases.check({ isAsked: true });
  useReleases.setState({
    isChecking: false,
    ...(answer.ok ? { news: answer.value } : { problem: answer.error.message }),
  });
}

async function findAddress(): Promise<void> {
  const answer = await bridge.releases.address({});
  if (answer.ok) useReleases.setState({ address: answer.value });
}

/** An unreachable feed is not reported. */
async function checkDaily(): Promise<void> {
  const answer = await bridge.releases.check({ isAsked: false });
  if (answer.ok && answer.value !== null) useReleases.setState({ news: answer.value });
}

/** Checks for a new release at most once a day, if the user enabled that. */
export function useReleaseWatch(): void {
  const isOn = useSettings((s) => s.settings.checkReleases);
  useEffect(() => void findAddress(), []);
  useEffect(() => {
    if (isOn) void checkDaily();
  }, [isOn]);
}
