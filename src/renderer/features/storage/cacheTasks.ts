import { create } from "zustand";
import { bridge } from "../../bridge/index.ts";

/** A long-running operation on a cache, started by this window. */
export interface CacheTask {
  readonly workId: string;
  readonly connectionId: string;
  /** For example "Deleting". */
  readonly label: string;
  /** Describes the progress in a sentence. @param share 0 to 1, null if unknown */
  readonly text: (share: number | null) => string;
}

/** The running tasks, wherever in the window they were started. */
export const useCacheTasks = create<{ readonly tasks: readonly CacheTask[] }>(() => ({ tasks: [] }));

const SHOWN_AFTER_MS = 1_000;

/** Shows a task that takes longer than a second. Returns a function that hides it. */
export function showTask(task: CacheTask): () => void {
  const timer = setTimeout(() => useCacheTasks.setState(({ tasks }) => ({ tasks: [...tasks, task] })), SHOWN_AFTER_MS);
  return () => {
    clearTimeout(timer);
    useCacheTasks.setState(({ tasks }) => ({ tasks: tasks.filter((t) => t !== task) }));
  };
}

/** Stops a task. Resolves when it has ended. */
export async function stopTask({ workId }: CacheTask): Promise<void> {
  await bridge.cache.stopWork({ workId });
}
