import { create } from "zustand";

/** Something that was done and can be taken back. */
export interface Step {
  readonly undo: () => void;
  /** null where it cannot be done once more. */
  readonly redo: (() => void) | null;
}

const MOST_STEPS = 200;

interface Steps {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

/** What Undo and Redo go through, the newest last. */
export const useUndoStack = create<Steps>(() => ({ done: [], undone: [] }));

/** Notes what was done just now: nothing can be redone after it. */
export function pushStep(step: Step): void {
  useUndoStack.setState(({ done }) => ({ done: [...done.slice(1 - MOST_STEPS), step], undone: [] }));
}

/** Forgets a step that can no longer be taken back. */
export function dropStep(step: Step): void {
  const { done } = useUndoStack.getState();
  if (done.includes(step)) useUndoStack.setState({ done: done.filter((each) => each !== step) });
}

export function clearSteps(): void {
  useUndoStack.setState({ done: [], undone: [] });
}

/** Takes the newest step back. */
export function undo(): void {
  const { done, undone } = useUndoStack.getState();
  const step = done.at(-1);
  if (!step) return;
  useUndoStack.setState({ done: done.slice(0, -1), undone: step.redo ? [...undone, step] : undone });
  step.undo();
}

/** Does again what was taken back last. */
export function redo(): void {
  const { done, undone } = useUndoStack.getState();
  const step = undone.at(-1);
  if (!step) return;
  useUndoStack.setState({ done: [...done, step], undone: undone.slice(0, -1) });
  step.redo?.();
}
