import { create } from "zustand";
import type { AppFault } from "#shared/fault.ts";
import { dropStep, pushStep, type Step } from "./undoStack.ts";

/** A short message at the edge of the window; a fault stays until it is used or closed. */
export interface Toast {
  readonly id: number;
  readonly kind: "note" | "fault";
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
  /** Called once when it goes, however it goes. */
  readonly onGone: (() => void) | null;
}

export const useToasts = create<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }));

const SHOWN_MS = 6_000;
const SHOWN_WITH_ACTION_MS = 12_000;
const MOST = 4;
let lastId = 0;
let isHeld = false;

export function showToast(
  text: string,
  action: Toast["action"] = null,
  kind: Toast["kind"] = "note",
  onGone: Toast["onGone"] = null,
): void {
  const id = ++lastId;
  // The same sentence twice says nothing more.
  for (const same of useToasts.getState().toasts.filter((t) => t.text === text && t.onGone === null))
    closeToast(same.id);
  const { toasts } = useToasts.getState();
  for (const oldest of toasts.slice(0, Math.max(0, toasts.length + 1 - MOST))) closeToast(oldest.id);
  useToasts.setState((s) => ({ toasts: [...s.toasts, { id, kind, text, action, onGone }] }));
  if (action?.label === "Undo") pushUndo(id, action.run);
  // A fault stays: whoever looked away must still find it.
  if (kind === "note") closeLater(id, action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
}

/** Undo takes back what a message offers to take back, for as long as the message stands. */
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

/** While someone points at the messages, or has the focus in them, none goes by itself. */
export function holdToasts(hold: boolean): void {
  isHeld = hold;
}

export function showFault(fault: AppFault, action: Toast["action"] = null): void {
  if (fault.kind !== "cancelled") showToast(fault.message, action, "fault");
}

export function closeToast(id: number): void {
  const toast = useToasts.getState().toasts.find((t) => t.id === id);
  if (!toast) return;
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((t) => t.id !== id) }));
  const step = steps.get(id);
  steps.delete(id);
  if (step) dropStep(step);
  toast.onGone?.();
}
