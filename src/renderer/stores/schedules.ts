import { create } from "zustand";
import type { KeptSchedule } from "#shared/bridge/methods/schedules.ts";
import { type Schedule, runWords } from "#shared/schedule/schedule.ts";
import { bridge } from "../bridge/index.ts";
import { showFault, showToast } from "./toasts.ts";
import { undoable } from "./undo.ts";

/** A schedule that is being made (`id` null) or changed. */
export interface EditedSchedule {
  readonly id: string | null;
  readonly schedule: Schedule;
}

interface ScheduleStore {
  /** Of all connections, by name; null until they are known. */
  readonly all: readonly KeptSchedule[] | null;
  /** What the form shows; null where it is closed. */
  readonly edited: EditedSchedule | null;
}

export const useSchedules = create<ScheduleStore>(() => ({ all: null, edited: null }));

/** Deleted in this window, and to be brought back for a while. */
const leaving = new Set<string>();

async function load(): Promise<void> {
  const answer = await bridge.schedules.list({});
  if (answer.ok) useSchedules.setState({ all: answer.value.filter(({ id }) => !leaving.has(id)) });
  else showFault(answer.error);
}

/** Keeps the list as it is kept, whoever changes it, and tells runs that ended; until the returned function is called. */
export function followSchedules(): () => void {
  void load();
  const offs = [
    bridge.on("schedulesChanged", () => void load()),
    bridge.on("connectionsChanged", () => void load()),
    bridge.on("engineRestarted", () => void load()),
    bridge.on("scheduleEnded", ({ name, run }) =>
      showToast(`${name}: ${runWords(run)}`, null, run.state === "failed" ? "fault" : "note"),
    ),
  ];
  return () => {
    for (const off of offs) off();
  };
}

export function editSchedule(edited: EditedSchedule | null): void {
  useSchedules.setState({ edited });
}

export async function runSchedule({ id, schedule }: KeptSchedule): Promise<void> {
  const answer = await bridge.schedules.run({ id });
  if (!answer.ok) showFault(answer.error);
  else if (schedule.notice !== "end") showToast(`“${schedule.name}” is running.`);
}

export async function stopSchedule({ id }: KeptSchedule): Promise<void> {
  const answer = await bridge.schedules.stop({ id });
  if (!answer.ok) showFault(answer.error);
}

export async function setSchedulePaused({ id }: KeptSchedule, isPaused: boolean): Promise<void> {
  const answer = await bridge.schedules.setPaused({ id, isPaused });
  if (!answer.ok) showFault(answer.error);
}

/** Deletes one, once the chance to bring it back has passed. */
export function deleteSchedule({ id, schedule }: KeptSchedule): void {
  leaving.add(id);
  useSchedules.setState(({ all }) => ({ all: all?.filter((one) => one.id !== id) ?? null }));
  undoable({
    text: `The schedule “${schedule.name}” is deleted.`,
    async commit() {
      const answer = await bridge.schedules.remove({ id });
      leaving.delete(id);
      if (!answer.ok) showFault(answer.error);
      await load();
    },
    undo() {
      leaving.delete(id);
      void load();
    },
  });
}
