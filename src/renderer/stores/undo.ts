import { showToast } from "./toasts.ts";

interface Undoable {
  /** A sentence on what the commit will do. Other windows and the core do not know of it before. */
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
