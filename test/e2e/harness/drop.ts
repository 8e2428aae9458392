import type { Page } from "playwright-core";

/** Drops a file on the window, as a file manager does. */
export async function drop(page: Page, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text!], fileName!));
      return transfer;
    },
    [name, content],
  );
  await page.dispatchEvent("body", "dragover", { dataTransfer });
  await page.getByText("Drop to open beside the cache").waitFor();
  await page.dispatchEvent("body", "drop", { dataTransfer });
}
