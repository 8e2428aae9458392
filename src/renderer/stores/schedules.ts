import { create } from "zustand";
import { cleanupOf } from "#shared/async.ts";
import type { KeptSchedule } from "#shared/bridge/methods/jobs.ts";
import { runWords } from "#shared/schedule/schedule.ts";
import { bridge } from "../bridge/index.ts";
import { orShowFault, showToast, undoable } from "./toasts.ts";

interface ScheduleStore {
  /** Schedules of all connections, by name; null until they are loaded. */
  readonly all: readonly KeptSchedule[] | null;
}

export const useSchedules = create<ScheduleStore>(() => ({ all: null }));

/** Schedules whose deletion can still be undone. */
const pendingRemoval = new Set<string>();

async function load(): Promise<void> {
  const answer = await orShowFault(bridge.schedules.list({}));
  if (answer.ok) useSchedules.setState({ all: answer.value.filter(({ id }) => !pendingRemoval.has(id)) });
}

/** Keeps the list up to date and shows a message when a run ends, until the returned function is called. */
export function followSchedules(): () => void {
  void load();
  return cleanupOf(
    bridge.on("schedulesChanged", () => void load()),
    bridge.on("connectionsChanged", () => void load()),
    bridge.on("engineRestarted", () => void load()),
    bridge.on("scheduleEnded", ({ name, run }) =>
      showToast(`${name}: ${runWords(run)}`, null, run.state === "failed" ? "fault" : "note"),
    ),
  );
}

export async function runSchedule({ id, schedule }: KeptSchedule): Promise<void> {
  const answer = await orShowFault(bridge.schedules.run({ id }));
  if (answer.ok && schedule.notice !== "end") showToast(`“${schedule.name}” is running.`);
}

/** Deletes a schedule; the deletion can be undone for a while. */
export function deleteSchedule({ id, schedule }: KeptSchedule): void {
  pendingRemoval.add(id);
  useSchedules.setState(({ all }) => ({ all: all?.filter((one) => one.id !== id) ?? null }));
  undoable({
    text: `The schedule “${schedule.name}” will be deleted.`,
    async commit() {
      const answer = await orShowFault(bridge.schedules.remove({ id, before: schedule }));
      pendingRemoval.delete(id);
      if (answer.ok) showToast(`The schedule “${schedule.name}” was deleted.`);
      await load();
    },
    undo() {
      pendingRemoval.delete(id);
      void load();
    },
  });
}
