import type { MessageBoxReturnValue, OpenDialogReturnValue, SaveDialogReturnValue } from "electron";

/** The results of the next dialogs. */
export const dialogAnswers: { savePath: string | null; button: number } = { savePath: null, button: 0 };
/** Recorded dialogs, for the test. */
export const shownDialogs: { readonly kind: string; readonly options: unknown }[] = [];

/** Dialogs may have a window as their first argument. */
function record(kind: string, args: readonly unknown[]): void {
  shownDialogs.push({ kind, options: args.at(-1) });
}

export const dialog = {
  showSaveDialog(...args: unknown[]): Promise<SaveDialogReturnValue> {
    record("save", args);
    const { savePath } = dialogAnswers;
    return Promise.resolve({ canceled: savePath === null, filePath: savePath ?? "" });
  },
  showOpenDialog(...args: unknown[]): Promise<OpenDialogReturnValue> {
    record("open", args);
    const { savePath } = dialogAnswers;
    return Promise.resolve({ canceled: savePath === null, filePaths: savePath === null ? [] : [savePath] });
  },
  showMessageBox(...args: unknown[]): Promise<MessageBoxReturnValue> {
    record("message", args);
    console.log(`Shows ${JSON.stringify(args.at(-1))}`);
    return Promise.resolve({ response: dialogAnswers.button, checkboxChecked: false });
  },
  showErrorBox(title: string, content: string): void {
    record("error", [{ title, content }]);
    console.error(`${title}: ${content}`);
  },
};
