import { create } from "zustand";

interface EngineState {
  /** Why the window lost its connection to the core; null while it is connected. */
  readonly lostReason: string | null;
  /** The shell is connected, but its core does not answer. */
  readonly isSilent: boolean;
}

export const useEngine = create<EngineState>(() => ({ lostReason: null, isSilent: false }));
