/** The link has to live until the browser has begun to read. */
const LINK_LIFE_MS = 60_000;

/** Hands a file that was made here to the browser, or to the dialog of the shell. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), LINK_LIFE_MS);
}
