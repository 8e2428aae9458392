import { editSchedule, useSchedules } from "../../stores/schedules.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { ScheduleForm } from "./ScheduleForm.tsx";

function close(): void {
  editSchedule(null);
}

/** The dialog that creates or edits a schedule. */
export function ScheduleDialog() {
  const edited = useSchedules((s) => s.edited);
  const title = edited?.id === null ? "New schedule" : "Edit the schedule";
  return (
    <Dialog title={title} isOpen={edited !== null} onClose={close} wide>
      {edited ? <ScheduleForm edited={edited} onClose={close} /> : null}
    </Dialog>
  );
}
