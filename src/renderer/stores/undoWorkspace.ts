import { cleanupOf } from "#shared/async.ts";
import { shallow } from "zustand/shallow";
import { resolveMovingRange } from "#shared/time/typed.ts";
import { useConnection } from "./connection.ts";
import { isSameMoving, isSameRange } from "./range.ts";
import { clearSteps, pushStep, type Step, useUndoStack } from "./undoStack.ts";
import { useWorkspace, type Workspace } from "./workspace.ts";

type Shown = ReturnType<typeof shownOf>;

/** Returns the part of a workspace that Undo restores and views save: what is shown, not the layout of the window. */
export function shownOf(workspace: Workspace) {
  const { stationIds, slots, range, moving, variables, intervalSeconds, raw, resampled, zone, showSigma, view } =
    workspace;
  return { stationIds, slots, range, moving, variables, intervalSeconds, raw, resampled, zone, showSigma, view };
}

/** Whether the two differ, apart from movement of the range with the clock. */
function differs(a: Shown, b: Shown): boolean {
  const isMovedByClock = a.moving !== null && isSameMoving(a.moving, b.moving);
  const rest = { range: null, moving: null, slots: null };
  return !(isMovedByClock || isSameRange(a, b)) || !shallow({ ...a, ...rest }, { ...b, ...rest });
}

/** Events that begin a user action. */
const ACTION_EVENTS = ["keydown", "pointerdown"] as const;

/** Adds an undo step for every change of selection, range and view in this connection. @returns a function that stops it */
export function followUndo(): () => void {
  let known = shownOf(useWorkspace.getState());
  let isApplying = false;
  /** The step of the current user action: all changes of one action are one step. */
  let current: Step | null = null;

  const show = (shown: Shown): void => {
    isApplying = true;
    // A moving range is resolved for the current time.
    const range = (shown.moving && resolveMovingRange(shown.moving, Date.now())) ?? shown.range;
    known = { ...shown, range };
    useWorkspace.setState({ ...known, section: "explore" });
    isApplying = false;
  };
  const stepFrom = (before: Shown): Step => {
    let after = before;
    return {
      undo() {
        after = known;
        show(before);
      },
      redo: () => show(after),
    };
  };
  const offWorkspace = useWorkspace.subscribe((workspace) => {
    if (isApplying) return;
    const next = shownOf(workspace);
    const before = known;
    known = next;
    if (!differs(before, next)) return;
    if (current && useUndoStack.getState().done.at(-1) === current) return;
    const step = stepFrom(before);
    current = step;
    pushStep(step);
    setTimeout(() => {
      if (current === step) current = null;
    });
  });
  // On a busy computer, the next action may come before the timer.
  const endStep = (): void => {
    current = null;
  };
  const stop = new AbortController();
  for (const event of ACTION_EVENTS) addEventListener(event, endStep, { capture: true, signal: stop.signal });
  const offConnection = useConnection.subscribe((next, before) => {
    if (next.current?.info.id === before.current?.info.id) return;
    // Steps of another connection would show its stations in this one.
    clearSteps();
    known = shownOf(useWorkspace.getState());
  });
  return cleanupOf(offWorkspace, offConnection, () => stop.abort());
}
