import { create } from "zustand";
import type { MissingSecretReason } from "../bridge/secret.ts";

/** Why the web shell rejects this browser; null if it is signed in, and in the desktop application. */
export const useSignIn = create<{ readonly missing: MissingSecretReason | null }>(() => ({ missing: null }));
