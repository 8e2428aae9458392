import { useLayoutEffect, useRef } from "react";
import { create } from "zustand";
import type { CommandId } from "#shared/commands.ts";
import { showToast } from "./toasts.ts";

/** Commands of the visible components. `#shared/commands.ts` lists all commands. */
export const useCommands = create<{
  readonly available: ReadonlyMap<CommandId, () => void>;
  /** Why other commands are unavailable, if that is not obvious; shown when their key is pressed. */
  readonly reasons: ReadonlyMap<CommandId, string>;
}>(() => ({ available: new Map(), reasons: new Map() }));

/**
 * Makes a command available while the component is mounted.
 *
 * @param can whether the command can run now, or a sentence that says why it cannot
 */
export function useCommand(id: CommandId, run: () => void, can: boolean | string = true): void {
  const latest = useRef(run);
  latest.current = run;
  // A layout effect, so that the command is available before the first paint.
  useLayoutEffect(() => {
    if (can === false) return;
    if (typeof can === "string") return register("reasons", id, can);
    const call = (): void => latest.current();
    return register("available", id, call);
  }, [id, can]);
}

/** @returns a function that removes the entry, unless another one has replaced it */
function register(where: "available" | "reasons", id: CommandId, entry: string | (() => void)): () => void {
  const update = (change: (all: Map<CommandId, unknown>) => void): void =>
    useCommands.setState((state) => {
      const all = new Map<CommandId, unknown>(state[where]);
      change(all);
      return { [where]: all };
    });
  update((all) => all.set(id, entry));
  return () => {
    if (useCommands.getState()[where].get(id) === entry) update((all) => all.delete(id));
  };
}

/**
 * Runs a command of the view that is about to be shown, once it is available there. Does nothing if the user leaves the
 * view before that.
 *
 * @param onLeave calls its listener when the user leaves the view; returns a function that removes it
 */
export function runInNextView(id: CommandId, onLeave: (listener: () => void) => () => void): void {
  const before = useCommands.getState().available.get(id);
  const stop = (): void => {
    stopWaiting();
    stopLeaving();
  };
  const stopWaiting = useCommands.subscribe(({ available }) => {
    const run = available.get(id);
    if (run === undefined || run === before) return;
    stop();
    run();
  });
  const stopLeaving = onLeave(stop);
}

/** Runs a command, or shows why it is unavailable. @returns false if it is unavailable without a reason */
export function runCommand(id: CommandId): boolean {
  const { available, reasons } = useCommands.getState();
  const run = available.get(id);
  const reason = reasons.get(id);
  if (run) run();
  else if (reason !== undefined) showToast(reason);
  return run !== undefined || reason !== undefined;
}
