/**
 * Stores a text, or removes it, for this window alone: it is kept when the page is reloaded, and never seen by another
 * window. A browser may deny access to storage; then nothing is stored.
 */
export function storeInWindow(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
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
