/** Whether the page may have something of the system: to copy what the user asked to copy, and nothing else. */
export function isAllowed(permission: string, origin: string, pageOrigin: string): boolean {
  return permission === "clipboard-sanitized-write" && sameOrigin(origin, pageOrigin);
}

/** Whether a file may be saved without the core: only what the page itself made, as a picture of a plot. */
export function isOwnDownload(address: string, pageOrigin: string): boolean {
  return address.startsWith(`blob:${pageOrigin}/`);
}

/** Whether a page that wants to go somewhere only wants to be loaded again: its own address, in the main frame. */
export function isOwnReload(
  { url, isMainFrame }: { readonly url: string; readonly isMainFrame: boolean },
  current: string,
  pageOrigin: string,
): boolean {
  return isMainFrame && sameOrigin(current, pageOrigin) && withoutHash(url) === withoutHash(current);
}

function withoutHash(address: string): string {
  return address.split("#")[0] ?? "";
}

function sameOrigin(address: string, origin: string): boolean {
  // Electron gives some origins with a slash at their end, others as the whole address.
  return address === origin || address.startsWith(`${origin}/`);
}
