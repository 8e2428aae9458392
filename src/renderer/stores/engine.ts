import { create } from "zustand";

/** Whether the window reaches the program behind it: null while it does, else why not. */
export const useEngine = create<{ readonly lostReason: string | null }>(() => ({ lostReason: null }));
