/** The page's own origin in the desktop shell. */
export const PAGE_ORIGIN = "app://zenith";

/** The parts of Electron's `IpcMainEvent` that say who sent a message. */
export interface SentMessage {
  readonly sender: { readonly id: number; readonly mainFrame: unknown };
  readonly senderFrame: { readonly origin: string } | null;
}

/**
 * The window that sent a message, where it is one of ours and the page in it is our own; else null, as for a frame
 * inside the page, for a frame that has gone on to something else, and wherever this cannot be told.
 *
 * @param windows our windows, by the id of their contents
 */
export function senderWindow<W>({ sender, senderFrame }: SentMessage, windows: ReadonlyMap<number, W>): W | null {
  try {
    if (senderFrame === null || senderFrame !== sender.mainFrame || senderFrame.origin !== PAGE_ORIGIN) return null;
    return windows.get(sender.id) ?? null;
  } catch {
    // What is asked of a window that is being destroyed throws.
    return null;
  }
}
