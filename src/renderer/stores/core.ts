import { create } from "zustand";
import type { MissingSecretReason } from "../bridge/secret.ts";

interface CoreState {
  /** Why the window lost its connection to the core; null while it is connected. */
  readonly lostReason: string | null;
  /** The shell is connected, but its core does not answer. */
  readonly isSilent: boolean;
}

export const useCore = create<CoreState>(() => ({ lostReason: null, isSilent: false }));

/** Why the web shell rejects this browser; null if it is signed in, and in the desktop application. */
export const useSignIn = create<{ readonly missing: MissingSecretReason | null }>(() => ({ missing: null }));
