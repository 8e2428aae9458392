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

/** Whether the page has a permission: only to write to the clipboard. */
export function isAllowed(permission: string, origin: string): boolean {
  return permission === "clipboard-sanitized-write" && isOfPage(origin);
}

/** Whether a file may be saved without the core: only one created by the page, such as a figure. */
export function isOwnDownload(address: string): boolean {
  return address.startsWith(`blob:${PAGE_ORIGIN}/`);
}

/** Whether a navigation only reloads the page: its own address, in the main frame. */
export function isOwnReload(
  { url, isMainFrame }: { readonly url: string; readonly isMainFrame: boolean },
  current: string,
): boolean {
  return isMainFrame && isOfPage(current) && withoutHash(url) === withoutHash(current);
}

function withoutHash(address: string): string {
  return address.split("#")[0] ?? "";
}

function isOfPage(address: string): boolean {
  // Electron passes some origins with a trailing slash, others as the whole address.
  return address === PAGE_ORIGIN || address.startsWith(`${PAGE_ORIGIN}/`);
}
