import { useMemo } from "react";
import { create } from "zustand";
import type { KeptSchedule } from "#shared/bridge/methods/jobs.ts";
import { runWords } from "#shared/schedule/schedule.ts";
import { schedulesOf } from "../ask/questions.ts";
import { useAsk } from "../ask/useAsk.ts";
import { bridge } from "../bridge/index.ts";
import { orShowFault, showToast, undoable } from "./toasts.ts";

/** Ids of deleted schedules, also while the deletion can still be undone. */
const useDeleted = create<{ readonly ids: readonly string[] }>(() => ({ ids: [] }));

/** Returns the schedules of all connections, by name; null until they are known. */
export function useSchedules(): readonly KeptSchedule[] | null {
  const { value } = useAsk(schedulesOf, {}, { delayMs: 0 });
  const deleted = useDeleted((s) => s.ids);
  return useMemo(() => value?.filter(({ id }) => !deleted.includes(id)) ?? null, [value, deleted]);
}

/** Shows a message when a run ends, until the returned function is called. */
export function followRuns(): () => void {
  return bridge.on("scheduleEnded", ({ name, run }) =>
    showToast(`${name}: ${runWords(run)}`, null, run.state === "failed" ? "fault" : "note"),
  );
}

/** Deletes a schedule; the deletion can be undone for a while. */
export function deleteSchedule({ id, schedule }: KeptSchedule): void {
  useDeleted.setState(({ ids }) => ({ ids: [...ids, id] }));
  const undo = (): void => useDeleted.setState(({ ids }) => ({ ids: ids.filter((one) => one !== id) }));
  undoable({
    text: `The schedule “${schedule.name}” will be deleted.`,
    async commit() {
      const answer = await orShowFault(bridge.schedules.remove({ id, before: schedule }));
      if (!answer.ok) undo();
    },
    undo,
  });
}
