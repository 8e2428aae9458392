import { create } from "zustand";

interface EngineState {
  /** Why the window does not reach the program behind it; null while it does. */
  readonly lostReason: string | null;
  /** The program is there, and its engine does not answer. */
  readonly isSilent: boolean;
}

export const useEngine = create<EngineState>(() => ({ lostReason: null, isSilent: false }));
