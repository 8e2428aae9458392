import { showToast } from "./toasts.ts";

/** Copies a text to the clipboard. @returns whether the browser allowed it */
export function isCopied(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

const UNAVAILABLE = "The clipboard is unavailable here. Select the text and copy it.";

/** Copies a text to the clipboard and shows a message. @param message "The station ID was copied." */
export function copyText(text: string, message: string, failedMessage = UNAVAILABLE): void {
  const copy = async (): Promise<void> => showToast((await isCopied(text)) ? message : failedMessage);
  void copy();
}
