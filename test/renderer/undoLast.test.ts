import { expect, it } from "vitest";
import { isUndo, showToast, undoLast, useToasts } from "../../src/renderer/stores/toasts.ts";

it("Undo takes back what the newest message offers to take back, and nothing else", () => {
  const done: string[] = [];
  const action = (label: string, name: string) => ({ label, run: () => void done.push(name) });
  showToast("One", action("Undo", "one"), "fault");
  showToast("Two", action("Undo", "two"), "fault");
  showToast("Three", action("Show files", "three"), "fault");
  undoLast();
  undoLast();
  undoLast();
  expect(done).toEqual(["two", "one"]);
  expect(useToasts.getState().toasts.filter(isUndo)).toEqual([]);
});
