import { create } from "zustand";
import { bridge } from "../../bridge/index.ts";

/** Work on a cache that takes its time, begun by this window. */
export interface Work {
  readonly workId: string;
  readonly connectionId: string;
  /** "Forgetting" */
  readonly label: string;
  /** A sentence; the share is 0 to 1, null while it is not known. */
  readonly text: (share: number | null) => string;
}

/** Under way for more than a moment, wherever in the window it was begun. */
export const useWorks = create<{ readonly works: readonly Work[] }>(() => ({ works: [] }));

const SHOWN_AFTER_MS = 1_000;

/** Shows the work where it takes longer than a moment, until the returned function is called. */
export function showWork(work: Work): () => void {
  const timer = setTimeout(() => useWorks.setState(({ works }) => ({ works: [...works, work] })), SHOWN_AFTER_MS);
  return () => {
    clearTimeout(timer);
    useWorks.setState(({ works }) => ({ works: works.filter((w) => w !== work) }));
  };
}

/** Resolves when the work has ended. */
export async function stopWork({ workId }: Work): Promise<void> {
  await bridge.cache.stopWork({ workId });
}
