import type { Page } from "playwright-core";

/** Reads the clipboard by pasting it, because pages of the desktop program cannot read it. */
export async function clipboardText(page: Page): Promise<string> {
  await page.evaluate(() => {
    const field = document.createElement("textarea");
    field.dataset["paste"] = "";
    field.setAttribute("aria-label", "Clipboard");
    // While a dialog is open, nothing outside of it can take the focus.
    const dialogs = document.querySelectorAll("dialog[open], [role=dialog]");
    ([...dialogs].at(-1) ?? document.body).append(field);
    field.focus();
  });
  await page.keyboard.press("Control+v");
  return page.evaluate(() => {
    const field = document.querySelector<HTMLTextAreaElement>("textarea[data-paste]")!;
    field.remove();
    return field.value;
  });
}
