/** Selection of a list, the anchor of a range selection, and the focused item. */
interface ListSelection {
  readonly selectedIds: readonly string[];
  readonly anchor: string | null;
  readonly focused: string | null;
}

/** What a key or a click does with a row. */
export type RowAction =
  /** Selects only this row. */
  | { readonly kind: "only"; readonly index: number }
  /** Selects or deselects the row. */
  | { readonly kind: "toggle"; readonly index: number }
  /** Selects the range from the anchor to this row; `add` keeps the previous selection. */
  | { readonly kind: "extend"; readonly index: number; readonly add: boolean }
  /** Moves the focus without selecting. */
  | { readonly kind: "move"; readonly index: number }
  | { readonly kind: "all" };

/** Applies an action. @param shown ids of the list in order; selected items outside it are kept by `add` and `toggle` */
export function select(state: ListSelection, action: RowAction, shown: readonly string[]): ListSelection {
  const { selectedIds, anchor } = state;
  if (action.kind === "all") return { ...state, selectedIds: [...new Set([...selectedIds, ...shown])] };
  const id = shown[action.index];
  if (id === undefined) return state;
  switch (action.kind) {
    case "only":
      return { selectedIds: [id], anchor: id, focused: id };
    case "toggle": {
      const others = selectedIds.filter((other) => other !== id);
      const next = others.length === selectedIds.length ? [...selectedIds, id] : others;
      return { selectedIds: next, anchor: id, focused: id };
    }
    case "extend": {
      const start = anchor === null ? -1 : shown.indexOf(anchor);
      if (start < 0) return { selectedIds: [id], anchor: id, focused: id };
      const part = shown.slice(Math.min(start, action.index), Math.max(start, action.index) + 1);
      const kept = new Set(action.add ? selectedIds : selectedIds.filter((other) => part.includes(other)));
      return { selectedIds: [...kept, ...part.filter((other) => !kept.has(other))], anchor, focused: id };
    }
    case "move":
      return { selectedIds, anchor: id, focused: id };
  }
}

/** The parts of a keyboard event that a grid uses. */
type KeyPress = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

interface RowPlace {
  /** -1 if no row has the focus. */
  readonly focus: number;
  readonly rows: number;
  /** Number of rows that a page key moves by. */
  readonly pageRows: number;
}

/** Returns the action of a key in a grid, or null. */
export function actionOfKey(press: KeyPress, { focus, rows, pageRows }: RowPlace): RowAction | null {
  const { key, shiftKey, altKey } = press;
  const withControl = press.ctrlKey || press.metaKey;
  if (altKey || rows === 0) return null;
  if (withControl && key.toLowerCase() === "a") return { kind: "all" };
  const current = Math.max(0, focus);
  if (key === " ") return { kind: "toggle", index: current };
  if (key === "Enter") return { kind: "only", index: current };
  const next = movedTo(key, focus, rows, pageRows);
  if (next === null || (withControl && key !== "Home" && key !== "End")) return null;
  return shiftKey ? { kind: "extend", index: next, add: false } : { kind: "move", index: next };
}

/** Returns the row that a key moves the focus to; null for other keys. @param focus -1 if no row has the focus */
function movedTo(key: string, focus: number, rows: number, pageRows: number): number | null {
  const moved: Readonly<Record<string, number>> = {
    ArrowDown: focus + 1,
    ArrowUp: focus - 1,
    PageDown: focus + pageRows,
    PageUp: focus - pageRows,
    Home: 0,
    End: rows - 1,
  };
  const row = moved[key];
  return row === undefined ? null : Math.min(rows - 1, Math.max(0, row));
}
