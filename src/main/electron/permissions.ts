/** Whether the page has a permission: only to write to the clipboard. */
export function isAllowed(permission: string, origin: string, pageOrigin: string): boolean {
  return permission === "clipboard-sanitized-write" && sameOrigin(origin, pageOrigin);
}

/** Whether a file may be saved without the core: only one created by the page, such as a figure. */
export function isOwnDownload(address: string, pageOrigin: string): boolean {
  return address.startsWith(`blob:${pageOrigin}/`);
}

/** Whether a navigation only reloads the page: its own address, in the main frame. */
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
  // Electron passes some origins with a trailing slash, others as the whole address.
  return address === origin || address.startsWith(`${origin}/`);
}
