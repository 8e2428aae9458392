const NAMED = "Ctrl|Shift|Alt|Esc|Enter|Space|Tab|Home|End|Page Up|Page Down|Delete|F\\d{1,2}";
const KEYS = new RegExp(`^(?:(?:${NAMED}) )*(?:${NAMED}|[←→↑↓]|[A-Z0-9/?+,=\\[\\]-])$`);

/** Whether a piece of code of a page is keys of the keyboard: `F`, `Ctrl K`, `Shift ↓`. */
export function isKeys(code: string): boolean {
  return KEYS.test(code);
}
