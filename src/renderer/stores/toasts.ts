import { create } from "zustand";
import type { AppFault } from "#shared/fault.ts";

/** A short message at the edge of the window; with an action it stays until it is used or closed. */
export interface Toast {
  readonly id: number;
  readonly kind: "note" | "fault";
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

export const useToasts = create<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }));

const SHOWN_MS = 6_000;
const SHOWN_WITH_ACTION_MS = 12_000;
let lastId = 0;

export function showToast(text: string, action: Toast["action"] = null, kind: Toast["kind"] = "note"): void {
  const id = ++lastId;
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.slice(-3), { id, kind, text, action }] }));
  // A fault stays: whoever looked away must still find it.
  if (kind === "note") setTimeout(() => closeToast(id), action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
}

export function showFault(fault: AppFault, action: Toast["action"] = null): void {
  if (fault.kind !== "cancelled") showToast(fault.message, action, "fault");
}

export function closeToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((t) => t.id !== id) }));
}
