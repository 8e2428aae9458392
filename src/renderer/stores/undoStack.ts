import { create } from "zustand";

/** A change that can be undone. */
export interface Step {
  readonly undo: () => void;
  /** null if the change cannot be redone. */
  readonly redo: (() => void) | null;
}

const MAX_STEPS = 200;

interface Steps {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

/** The steps of Undo and Redo, newest last. */
export const useUndoStack = create<Steps>(() => ({ done: [], undone: [] }));

/** Adds a step and clears the steps of Redo. */
export function pushStep(step: Step): void {
  useUndoStack.setState(({ done }) => ({ done: [...done.slice(1 - MAX_STEPS), step], undone: [] }));
}

/** Removes a step that can no longer be undone. */
export function removeStep(step: Step): void {
  const { done } = useUndoStack.getState();
  if (done.includes(step)) useUndoStack.setState({ done: done.filter((each) => each !== step) });
}

export function clearSteps(): void {
  useUndoStack.setState({ done: [], undone: [] });
}

/** Undoes the newest step. */
export function undo(): void {
  const { done, undone } = useUndoStack.getState();
  const step = done.at(-1);
  if (!step) return;
  useUndoStack.setState({ done: done.slice(0, -1), undone: step.redo ? [...undone, step] : undone });
  step.undo();
}

/** Redoes the step that was undone last. */
export function redo(): void {
  const { done, undone } = useUndoStack.getState();
  const step = undone.at(-1);
  if (!step) return;
  useUndoStack.setState({ done: [...done, step], undone: undone.slice(0, -1) });
  step.redo?.();
}
