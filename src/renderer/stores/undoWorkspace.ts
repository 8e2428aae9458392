import { shallow } from "zustand/shallow";
import { resolveMovingRange } from "#shared/time/typed.ts";
import { useConnection } from "./connection.ts";
import { clearSteps, pushStep, type Step, useUndoStack } from "./undoStack.ts";
import { useWorkspace } from "./workspace.ts";
import type { Workspace } from "./workspaceSchema.ts";

/** What of a workspace can be taken back: what is shown, and not how the window is arranged. */
type Shown = Pick<
  Workspace,
  | "stationIds"
  | "slots"
  | "range"
  | "moving"
  | "variables"
  | "intervalSeconds"
  | "raw"
  | "resampled"
  | "showSigma"
  | "view"
>;

function shownOf(workspace: Workspace): Shown {
  const { stationIds, slots, range, moving, variables, intervalSeconds, raw, resampled, showSigma, view } = workspace;
  return { stationIds, slots, range, moving, variables, intervalSeconds, raw, resampled, showSigma, view };
}

/** Whether the two differ in more than where the clock has moved the range. */
function differs(a: Shown, b: Shown): boolean {
  const isSameMoving = a.moving?.start === b.moving?.start && a.moving?.end === b.moving?.end;
  const isMovedByClock = isSameMoving && a.moving !== null;
  const { startMs, endMs } = b.range;
  const isSameRange = isSameMoving && (isMovedByClock || (a.range.startMs === startMs && a.range.endMs === endMs));
  const rest = { range: null, moving: null, slots: null };
  return !isSameRange || !shallow({ ...a, ...rest }, { ...b, ...rest });
}

/** What every press begins with. */
const PRESSES = ["keydown", "pointerdown"] as const;

/** Makes a step of every change of selection, range and views, in this connection. @returns ends it */
export function followUndo(): () => void {
  let known = shownOf(useWorkspace.getState());
  let isApplying = false;
  /** The step of the event that is being handled: what one press changes in several parts is one step. */
  let current: Step | null = null;

  const show = (shown: Shown): void => {
    isApplying = true;
    // A range that moves with the clock lies where it is now.
    const range = (shown.moving && resolveMovingRange(shown.moving, Date.now())) ?? shown.range;
    known = { ...shown, range };
    useWorkspace.setState({ ...known, room: "explore" });
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
  // On a busy computer the next press may come before any timer.
  const endStep = (): void => {
    current = null;
  };
  for (const press of PRESSES) addEventListener(press, endStep, true);
  const offConnection = useConnection.subscribe((next, before) => {
    if (next.current?.info.id === before.current?.info.id) return;
    // Steps of another connection would show its stations in this one.
    clearSteps();
    known = shownOf(useWorkspace.getState());
  });
  return () => {
    offWorkspace();
    offConnection();
    for (const press of PRESSES) removeEventListener(press, endStep, true);
  };
}
