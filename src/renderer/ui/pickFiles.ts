/**
 * The input of the latest dialog. Blink refers to it weakly (`file_chooser.h`): without this reference, a garbage collection
 * while the dialog is open would lose the user's choice.
 */
let current: HTMLInputElement | null = null;

/**
 * Lets the user choose files in the browser's dialog, which opens only during a user action.
 *
 * @param extensions with the dot, or media types
 * @returns the files; none if the user cancels
 */
export function pickFiles(extensions: readonly string[], isMultiple: boolean): Promise<readonly File[]> {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = isMultiple;
  input.accept = extensions.join();
  current = input;
  return new Promise((resolve) => {
    const end = (): void => {
      if (current === input) current = null;
      resolve([...(input.files ?? [])]);
    };
    input.addEventListener("change", end);
    input.addEventListener("cancel", end);
    input.click();
  });
}
