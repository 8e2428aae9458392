/** The page's own origin in the desktop shell. */
export const PAGE_ORIGIN = "app://zenith";

/** The parts of Electron's `IpcMainEvent` that identify the sender of a message. */
interface SentMessage {
  readonly sender: { readonly id: number; readonly mainFrame: unknown };
  readonly senderFrame: { readonly origin: string } | null;
}

/**
 * The window that sent a message, if it is one of ours with our page; else null, for example for a frame inside the page,
 * for a frame that has navigated, and if this is unknown.
 *
 * @param windows our windows, by the id of their contents
 */
export function senderWindow<W>({ sender, senderFrame }: SentMessage, windows: ReadonlyMap<number, W>): W | null {
  try {
    if (senderFrame === null || senderFrame !== sender.mainFrame || senderFrame.origin !== PAGE_ORIGIN) return null;
    return windows.get(sender.id) ?? null;
  } catch {
    // Properties of a window that is being destroyed throw.
    return null;
  }
}
