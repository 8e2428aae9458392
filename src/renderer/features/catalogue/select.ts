import { movedTo } from "../../ui/gridRows.ts";

/** Selection of a list, the anchor of a range selection, and the focused item. */
interface ListSelection {
  readonly selectedIds: readonly string[];
  readonly anchor: string | null;
  readonly focused: string | null;
}

export type ListAction =
  /** Selects only this item. */
  | { readonly kind: "only"; readonly id: string }
  /** Selects or deselects the item. */
  | { readonly kind: "toggle"; readonly id: string }
  /** Selects the range from the anchor to this item; `add` keeps the previous selection. */
  | { readonly kind: "extend"; readonly id: string; readonly add: boolean }
  /** Moves the focus without selecting. */
  | { readonly kind: "move"; readonly id: string }
  | { readonly kind: "all" };

/** Applies an action. @param shown ids of the list in order; selected items outside it are kept by `add` and `toggle` */
export function select(state: ListSelection, action: ListAction, shown: readonly string[]): ListSelection {
  const { selectedIds, anchor } = state;
  switch (action.kind) {
    case "only":
      return { selectedIds: [action.id], anchor: action.id, focused: action.id };
    case "toggle": {
      const others = selectedIds.filter((id) => id !== action.id);
      const next = others.length === selectedIds.length ? [...selectedIds, action.id] : others;
      return { selectedIds: next, anchor: action.id, focused: action.id };
    }
    case "extend": {
      const start = anchor === null ? -1 : shown.indexOf(anchor);
      const end = shown.indexOf(action.id);
      if (start < 0 || end < 0) return select(state, { kind: "only", id: action.id }, shown);
      const part = shown.slice(Math.min(start, end), Math.max(start, end) + 1);
      const kept = new Set(action.add ? selectedIds : selectedIds.filter((id) => part.includes(id)));
      return { selectedIds: [...kept, ...part.filter((id) => !kept.has(id))], anchor, focused: action.id };
    }
    case "move":
      return { selectedIds, anchor: action.id, focused: action.id };
    case "all":
      return { ...state, selectedIds: [...new Set([...selectedIds, ...shown])] };
  }
}

/** The parts of a keyboard event that the list uses. */
interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/**
 * Returns the action of a key in the station list, or null.
 *
 * @param focused the focused station; null if none
 * @param pageRows number of visible rows
 */
export function actionOfKey(
  press: KeyPress,
  shown: readonly string[],
  focused: string | null,
  pageRows: number,
): ListAction | null {
  const { key, shiftKey, altKey } = press;
  const withControl = press.ctrlKey || press.metaKey;
  if (altKey || shown.length === 0) return null;
  if (withControl && key.toLowerCase() === "a") return { kind: "all" };
  const here = focused === null ? -1 : shown.indexOf(focused);
  const current = shown[Math.max(0, here)];
  if (current === undefined) return null;
  if (key === " ") return { kind: "toggle", id: current };
  if (key === "Enter") return { kind: "only", id: current };
  const next = movedTo(key, here, shown.length, pageRows);
  const id = next === null ? undefined : shown[next];
  if (id === undefined || (withControl && key !== "Home" && key !== "End")) return null;
  return shiftKey ? { kind: "extend", id, add: false } : { kind: "move", id };
}
