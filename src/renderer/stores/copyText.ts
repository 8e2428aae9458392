import { showToast } from "./toasts.ts";

/** Puts a text on the clipboard, and says so. @param told "The id of the station is copied." */
export function copyText(text: string, told: string): void {
  navigator.clipboard.writeText(text).then(
    () => showToast(told),
    () => showToast("The clipboard is unavailable here. Select the text and copy it."),
  );
}
