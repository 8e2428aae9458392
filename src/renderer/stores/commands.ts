import { useLayoutEffect, useRef } from "react";
import { create } from "zustand";
import type { CommandId } from "#shared/commands.ts";

/** Commands that can be run now: those of what is in sight. The list of all is `#shared/commands.ts`. */
export const useCommands = create<{ readonly running: ReadonlyMap<CommandId, () => void> }>(() => ({
  running: new Map(),
}));

/** Makes a command do something while the component is shown and `isEnabled`. */
export function useCommand(id: CommandId, run: () => void, isEnabled = true): void {
  const latest = useRef(run);
  latest.current = run;
  // As soon as it is in sight: after the painting, a key pressed at once would find nothing to run.
  useLayoutEffect(() => {
    if (!isEnabled) return;
    const call = (): void => latest.current();
    useCommands.setState(({ running }) => ({ running: new Map(running).set(id, call) }));
    return () =>
      useCommands.setState(({ running }) => {
        if (running.get(id) !== call) return {};
        const left = new Map(running);
        left.delete(id);
        return { running: left };
      });
  }, [id, isEnabled]);
}

/** @returns whether there was anything to run */
export function runCommand(id: CommandId): boolean {
  const run = useCommands.getState().running.get(id);
  run?.();
  return run !== undefined;
}
