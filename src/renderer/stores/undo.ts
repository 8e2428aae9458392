import { showToast } from "./toasts.ts";

export interface Undoable {
  /** What is being done, in a sentence. */
  readonly text: string;
  /** Does it for good; called once the message is gone, or the window closes. */
  readonly commit: () => void | Promise<void>;
  readonly undo: () => void | Promise<void>;
}

const waiting = new Set<() => void>();

/** Instead of "are you sure": says what happens, and does it only when the chance to take it back has passed. */
export function undoable({ text, commit, undo }: Undoable): void {
  if (waiting.size === 0) addEventListener("pagehide", finishAll);
  const settle = (then: Undoable["commit"]): void => {
    if (waiting.delete(finish)) void then();
  };
  const finish = (): void => settle(commit);
  waiting.add(finish);
  showToast(text, { label: "Undo", run: () => settle(undo) }, "note", finish);
}

function finishAll(): void {
  for (const finish of waiting) finish();
}
