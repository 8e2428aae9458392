import { create } from "zustand";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { pushStep, removeStep, type Step } from "./undoStack.ts";

/** A short message at the edge of the window; a fault stays until its action is used or it is closed. */
export interface Toast {
  readonly id: number;
  readonly kind: "note" | "fault";
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
  /** Called once when the message closes, for whatever reason. */
  readonly onClosed: (() => void) | null;
}

export const useToasts = create<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }));

const SHOWN_MS = 6_000;
const SHOWN_WITH_ACTION_MS = 12_000;
/** More notes would hide the view. Faults do not count: none is closed before the user has read it. */
const MAX_NOTES = 4;
let lastId = 0;
let isHeld = false;

export function showToast(
  text: string,
  action: Toast["action"] = null,
  kind: Toast["kind"] = "note",
  onClosed: Toast["onClosed"] = null,
): void {
  const id = ++lastId;
  // Replaces an identical message, and news, of which the newest is enough.
  const isReplaced = (t: Toast): boolean =>
    t.onClosed === null && (t.text === text || (isNews(t) && isNews({ kind, action })));
  const { toasts } = useToasts.getState();
  const notes = toasts.filter((t) => t.kind === "note" && !isReplaced(t));
  for (const earlier of [...toasts.filter(isReplaced), ...notes.slice(0, Math.max(0, notes.length + 1 - MAX_NOTES))])
    closeToast(earlier.id);
  useToasts.setState((s) => ({ toasts: [...s.toasts, { id, kind, text, action, onClosed }] }));
  if (action?.label === "Undo") pushUndo(id, action.run);
  // A fault stays, in case the user is not looking.
  if (kind === "note") closeLater(id, action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
}

/** Whether a message is a note that the user can do nothing about. */
function isNews({ kind, action }: Pick<Toast, "kind" | "action">): boolean {
  return kind === "note" && action === null;
}

/** Lets the Undo command do what the message's button does, while the message is shown. */
function pushUndo(id: number, run: () => void): void {
  const step: Step = {
    undo() {
      run();
      closeToast(id);
    },
    redo: null,
  };
  steps.set(id, step);
  pushStep(step);
}

const steps = new Map<number, Step>();

function closeLater(id: number, afterMs: number): void {
  setTimeout(() => (isHeld ? closeLater(id, SHOWN_MS) : closeToast(id)), afterMs);
}

/** Keeps messages open while the pointer or the focus is on them. */
export function holdToasts(hold: boolean): void {
  isHeld = hold;
}

export function showFault(fault: AppFault, action: Toast["action"] = null): void {
  if (fault.kind !== "cancelled") showToast(fault.message, action, "fault");
}

/** Shows why a call failed, if it did. @returns its answer */
export async function orShowFault<T>(call: Promise<Result<T, AppFault>>): Promise<Result<T, AppFault>> {
  const answer = await call;
  if (!answer.ok) showFault(answer.error);
  return answer;
}

export function closeToast(id: number): void {
  const toast = useToasts.getState().toasts.find((t) => t.id === id);
  if (!toast) return;
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((t) => t.id !== id) }));
  const step = steps.get(id);
  steps.delete(id);
  if (step) removeStep(step);
  toast.onClosed?.();
}

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
