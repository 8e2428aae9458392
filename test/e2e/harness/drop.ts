import type { Page } from "playwright-core";

/** Drops a file on the window, as a file manager does. */
export async function drop(page: Page, name: string, content: string | Buffer): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, base64]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64!), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], fileName!));
      return transfer;
    },
    [name, Buffer.from(content).toString("base64")],
  );
  await page.dispatchEvent("body", "dragover", { dataTransfer });
  await page.getByText("Drop to open beside the cache").waitFor();
  await page.dispatchEvent("body", "drop", { dataTransfer });
}
