import { beforeEach, describe, expect, it } from "vitest";
import { closeToast, showToast, useToasts } from "../../src/renderer/stores/toasts.ts";
import { clearSteps, removeStep, pushStep, redo, undo, useUndoStack } from "../../src/renderer/stores/undoStack.ts";

beforeEach(clearSteps);

it("Undo runs the undo actions of messages, the newest first, and no other actions", () => {
  const done: string[] = [];
  const action = (label: string, name: string) => ({ label, run: () => void done.push(name) });
  showToast("One", action("Undo", "one"), "fault");
  showToast("Two", action("Undo", "two"), "fault");
  showToast("Three", action("Show files", "three"), "fault");
  undo();
  undo();
  undo();
  expect(done).toEqual(["two", "one"]);
  expect(useToasts.getState().toasts.map(({ text }) => text)).toEqual(["Three"]);
});

it("an action cannot be undone after its message was closed", () => {
  const done: string[] = [];
  showToast("Gone", { label: "Undo", run: () => void done.push("gone") }, "fault");
  closeToast(useToasts.getState().toasts.at(-1)!.id);
  undo();
  expect([done, useUndoStack.getState().done]).toEqual([[], []]);
});

describe("steps", () => {
  it("are undone and redone in order, and a new step discards undone ones", () => {
    const actions: string[] = [];
    const step = (name: string) => ({
      undo: () => void actions.push(`undo ${name}`),
      redo: () => void actions.push(`redo ${name}`),
    });
    const [a, b, c] = ["a", "b", "c"].map(step);
    pushStep(a!);
    pushStep(b!);
    undo();
    undo();
    redo();
    redo();
    undo();
    pushStep(c!);
    redo();
    removeStep(a!);
    undo();
    undo();
    expect(actions).toEqual(["undo b", "undo a", "redo a", "redo b", "undo b", "undo c"]);
  });
});
