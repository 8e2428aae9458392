import { showToast } from "./toasts.ts";

const UNAVAILABLE = "The clipboard is unavailable here. Select the text and copy it.";

/** Copies a text to the clipboard and shows a message. @param message "The station ID was copied." */
export function copyText(text: string, message: string, failedMessage = UNAVAILABLE): void {
  navigator.clipboard.writeText(text).then(
    () => showToast(message),
    () => showToast(failedMessage),
  );
}
