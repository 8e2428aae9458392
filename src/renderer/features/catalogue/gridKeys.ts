import type { ListAction } from "./select.ts";

/** The parts of a key press that the list looks at. */
export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/**
 * What a key does in the list of stations; null where it does nothing there.
 *
 * @param focused the station under the keyboard; null before the first
 * @param pageRows how many rows are in sight
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
  const next = moved(key, here, shown.length, pageRows);
  const id = next === null ? undefined : shown[next];
  if (id === undefined || (withControl && key !== "Home" && key !== "End")) return null;
  return shiftKey ? { kind: "extend", id, add: false } : { kind: "move", id };
}

function moved(key: string, here: number, length: number, pageRows: number): number | null {
  const last = length - 1;
  const within = (place: number): number => Math.min(last, Math.max(0, place));
  switch (key) {
    case "ArrowDown":
      return within(here + 1);
    case "ArrowUp":
      return within(here - 1);
    case "PageDown":
      return within(here + pageRows);
    case "PageUp":
      return within(here - pageRows);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}
