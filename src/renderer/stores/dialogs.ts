import { create } from "zustand";
import type { ConnectionInfo } from "#shared/connection.ts";

/** The dialogs that belong to the window as a whole, at most one at a time. */
export type WindowDialog =
  | { readonly kind: "palette" | "shortcuts" | "about" | "connect" }
  | { readonly kind: "rename" | "key"; readonly connection: ConnectionInfo };

export const useDialogs = create<{ readonly open: WindowDialog | null }>(() => ({ open: null }));

export function openDialog(open: WindowDialog): void {
  useDialogs.setState({ open });
}

export function closeDialog(): void {
  useDialogs.setState({ open: null });
}
