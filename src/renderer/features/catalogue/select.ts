/** What is chosen in a list, where a range of it would start, and where the keyboard is. */
export interface ListSelection {
  readonly chosen: readonly string[];
  readonly anchor: string | null;
  readonly focused: string | null;
}

export type ListAction =
  /** Chooses only this. */
  | { readonly kind: "only"; readonly id: string }
  /** Chooses it too, or no longer. */
  | { readonly kind: "toggle"; readonly id: string }
  /** Chooses all from the anchor to this, and with `add` keeps what was chosen. */
  | { readonly kind: "extend"; readonly id: string; readonly add: boolean }
  /** Moves the keyboard, chooses nothing. */
  | { readonly kind: "move"; readonly id: string }
  | { readonly kind: "all" };

/** @param shown the ids of the list in their order; what is chosen may lie outside it, and stays with `add` and `toggle` */
export function select(state: ListSelection, action: ListAction, shown: readonly string[]): ListSelection {
  const { chosen, anchor } = state;
  switch (action.kind) {
    case "only":
      return { chosen: [action.id], anchor: action.id, focused: action.id };
    case "toggle": {
      const left = chosen.filter((id) => id !== action.id);
      const next = left.length === chosen.length ? [...chosen, action.id] : left;
      return { chosen: next, anchor: action.id, focused: action.id };
    }
    case "extend": {
      const start = anchor === null ? -1 : shown.indexOf(anchor);
      const end = shown.indexOf(action.id);
      if (start < 0 || end < 0) return select(state, { kind: "only", id: action.id }, shown);
      const part = shown.slice(Math.min(start, end), Math.max(start, end) + 1);
      const kept = new Set(action.add ? chosen : chosen.filter((id) => part.includes(id)));
      return { chosen: [...kept, ...part.filter((id) => !kept.has(id))], anchor, focused: action.id };
    }
    case "move":
      return { chosen, anchor: action.id, focused: action.id };
    case "all":
      return { ...state, chosen: [...new Set([...chosen, ...shown])] };
  }
}
