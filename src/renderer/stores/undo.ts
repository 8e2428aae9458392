import { showToast } from "./toasts.ts";

interface Undoable {
  /** What will be done, as a sentence: until the commit, other windows and the core know nothing of it. */
  readonly text: string;
  /** Makes the change permanent; called when the message or the window closes. */
  readonly commit: () => void | Promise<void>;
  readonly undo: () => void | Promise<void>;
}

const pending = new Set<() => void>();

/** Shows a message with an Undo button, instead of asking for confirmation, and commits when it closes. */
export function undoable({ text, commit, undo }: Undoable): void {
  if (pending.size === 0) addEventListener("pagehide", commitAll);
  const settle = (then: Undoable["commit"]): void => {
    if (pending.delete(finish)) void then();
  };
  const finish = (): void => settle(commit);
  pending.add(finish);
  showToast(text, { label: "Undo", run: () => settle(undo) }, "note", finish);
}

function commitAll(): void {
  for (const finish of pending) finish();
}
