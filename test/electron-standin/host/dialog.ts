import type { MessageBoxReturnValue, OpenDialogReturnValue, SaveDialogReturnValue } from "electron";

/** What the next dialogs are answered with; what was shown is kept for the test. */
export const dialogAnswers: { savePath: string | null; button: number } = { savePath: null, button: 0 };
export const shown: { readonly kind: string; readonly options: unknown }[] = [];

/** Dialogs may stand above a window or alone. */
function note(kind: string, args: readonly unknown[]): void {
  shown.push({ kind, options: args.at(-1) });
}

export const dialog = {
  showSaveDialog(...args: unknown[]): Promise<SaveDialogReturnValue> {
    note("save", args);
    const { savePath } = dialogAnswers;
    return Promise.resolve({ canceled: savePath === null, filePath: savePath ?? "" });
  },
  showOpenDialog(...args: unknown[]): Promise<OpenDialogReturnValue> {
    note("open", args);
    const { savePath } = dialogAnswers;
    return Promise.resolve({ canceled: savePath === null, filePaths: savePath === null ? [] : [savePath] });
  },
  showMessageBox(...args: unknown[]): Promise<MessageBoxReturnValue> {
    note("message", args);
    return Promise.resolve({ response: dialogAnswers.button, checkboxChecked: false });
  },
  showErrorBox(title: string, content: string): void {
    note("error", [{ title, content }]);
    console.error(`${title}: ${content}`);
  },
};
