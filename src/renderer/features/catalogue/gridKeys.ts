import { movedTo } from "../../ui/rowKeys.ts";
import type { ListAction } from "./select.ts";

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
