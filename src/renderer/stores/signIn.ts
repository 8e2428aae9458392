import { create } from "zustand";
import type { Missing } from "../bridge/secret.ts";

/** Why the web shell does not let this browser in; null where it does, and in the desktop program. */
export const useSignIn = create<{ readonly missing: Missing | null }>(() => ({ missing: null }));
