import { create } from "zustand";
import type { OrphanedCache } from "#shared/bridge/methods/connections.ts";
import type { ConnectionInfo } from "#shared/connection.ts";

/** Dialogs of the window as a whole; at most one is open at a time. */
type WindowDialog =
  | { readonly kind: "palette" | "shortcuts" | "about" | "connect" | "release" | "log" }
  | { readonly kind: "rename" | "key"; readonly connection: ConnectionInfo }
  | { readonly kind: "adopt"; readonly cache: OrphanedCache };

export const useDialogs = create<{ readonly open: WindowDialog | null }>(() => ({ open: null }));

export function openDialog(open: WindowDialog): void {
  useDialogs.setState({ open });
}

export function closeDialog(): void {
  useDialogs.setState({ open: null });
}
