import { create } from "zustand";
import { bridge } from "../../bridge/index.ts";

/** Forgetting that takes its time. */
export interface ForgetWork {
  readonly workId: string;
  readonly connectionId: string;
  /** "All data of Kallio" */
  readonly what: string;
}

/** Under way for more than a moment, begun by this window. */
export const useForgetWorks = create<{ readonly works: readonly ForgetWork[] }>(() => ({ works: [] }));

const SHOWN_AFTER_MS = 1_000;

/** Shows the work where it takes longer than a moment, until the returned function is called. */
export function showWork(work: ForgetWork): () => void {
  const timer = setTimeout(() => useForgetWorks.setState(({ works }) => ({ works: [...works, work] })), SHOWN_AFTER_MS);
  return () => {
    clearTimeout(timer);
    useForgetWorks.setState(({ works }) => ({ works: works.filter((w) => w !== work) }));
  };
}

export function stopWork({ workId }: ForgetWork): void {
  void bridge.cache.stopWork({ workId });
}
