import { useSyncExternalStore } from "react";

const TICK_MS = 15_000;
let nowMs = Date.now();
const listeners = new Set<() => void>();
setInterval(() => {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}, TICK_MS);

/** Returns the time in UTC milliseconds, updated every 15 s: texts such as "2 min ago" need not be exact. */
export function useNowMs(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => nowMs,
  );
}
