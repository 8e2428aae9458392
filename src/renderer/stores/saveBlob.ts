/** The URL must stay valid until the browser has begun to read. */
const LINK_LIFE_MS = 60_000;

/** Saves a file made by the page, through the browser's download or the shell's dialog. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), LINK_LIFE_MS);
}

/** @param name without the extension */
export function saveCsv(csv: string, name: string): void {
  saveBlob(new Blob([csv], { type: "text/csv;charset=utf-8" }), `${name}.csv`);
}
