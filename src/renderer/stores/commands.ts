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
 * Makes a command available while the component is mounted. Of several components, the last one has it: a view takes a
 * command from the window around it, which has it again afterwards.
 *
 * @param can whether the command can run now, or a sentence that says why it cannot
 */
export function useCommand(id: CommandId, run: () => void, can: boolean | string = true): void {
  const latest = useRef(run);
  latest.current = run;
  // A layout effect, so that the command is available before the first paint.
  useLayoutEffect(() => {
    if (can === false) return;
    return register([id, typeof can === "string" ? can : (): void => latest.current()]);
  }, [id, can]);
}

/** A command with what it does, or why it is unavailable. */
type Entry = readonly [CommandId, string | (() => void)];
let entries: readonly Entry[] = [];

/** @returns a function that removes the entry */
function register(entry: Entry): () => void {
  publish([...entries, entry]);
  return () => publish(entries.filter((other) => other !== entry));
}

function publish(next: readonly Entry[]): void {
  entries = next;
  const available = new Map<CommandId, () => void>();
  const reasons = new Map<CommandId, string>();
  for (const [id, entry] of new Map(next)) {
    if (typeof entry === "string") reasons.set(id, entry);
    else available.set(id, entry);
  }
  useCommands.setState({ available, reasons });
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
