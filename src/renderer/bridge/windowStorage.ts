let isClosed = false;

/**
 * Stores a text for this window alone: it is kept when the page is reloaded, and never seen by another window. A browser
 * may deny access to storage; then nothing is stored.
 */
export function storeInWindow(key: string, text: string): void {
  if (isClosed) return;
  try {
    sessionStorage.setItem(key, text);
  } catch {}
}

/** Returns what this window stored, before a reload of its page; null if nothing. */
export function storedInWindow(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function openWindowStorage(): void {
  isClosed = false;
}

/** Deletes everything that this window stored, and stores nothing more until the storage is opened again. */
export function closeWindowStorage(): void {
  isClosed = true;
  try {
    sessionStorage.clear();
  } catch {}
}
