import { useLayoutEffect, useRef } from "react";
import { create } from "zustand";
import type { CommandId } from "#shared/commands.ts";
import { showToast } from "./toasts.ts";

/** Commands that can be run now: those of what is in sight. The list of all is `#shared/commands.ts`. */
export const useCommands = create<{
  readonly running: ReadonlyMap<CommandId, () => void>;
  /** Why others cannot, where that is not plain to see: told to whoever presses their key. */
  readonly reasons: ReadonlyMap<CommandId, string>;
}>(() => ({ running: new Map(), reasons: new Map() }));

/**
 * Makes a command do something while the component is shown.
 *
 * @param can whether there is anything to do now, or a sentence that says why there is not
 */
export function useCommand(id: CommandId, run: () => void, can: boolean | string = true): void {
  const latest = useRef(run);
  latest.current = run;
  // As soon as it is in sight: after the painting, a key pressed at once would find nothing to run.
  useLayoutEffect(() => {
    if (can === false) return;
    if (typeof can === "string") return put("reasons", id, can);
    const call = (): void => latest.current();
    return put("running", id, call);
  }, [id, can]);
}

/** @returns takes it away again, where nothing else was put in its place */
function put(where: "running" | "reasons", id: CommandId, what: string | (() => void)): () => void {
  const changed = (change: (all: Map<CommandId, unknown>) => void): void =>
    useCommands.setState((state) => {
      const all = new Map<CommandId, unknown>(state[where]);
      change(all);
      return { [where]: all };
    });
  changed((all) => all.set(id, what));
  return () => {
    if (useCommands.getState()[where].get(id) === what) changed((all) => all.delete(id));
  };
}

/** Runs it, or says why it cannot be run. @returns whether there was anything to run or to say */
export function runCommand(id: CommandId): boolean {
  const { running, reasons } = useCommands.getState();
  const run = running.get(id);
  const reason = reasons.get(id);
  if (run) run();
  else if (reason !== undefined) showToast(reason);
  return run !== undefined || reason !== undefined;
}
