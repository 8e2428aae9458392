import { ownTimeZone, type ScheduleTime, scheduleTime } from "#shared/schedule/when.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { Select } from "../../ui/choices.tsx";
import { TextField } from "../../ui/fields.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import classes from "./schedules.module.css";

type Kind = "utc" | "local" | "every";

/** @param timeZone of the computer that runs the schedule */
function kinds(timeZone: string): readonly { readonly value: Kind; readonly label: string }[] {
  const local = timeZone === ownTimeZone() ? "Every day, local time" : `Every day, time of the server (${timeZone})`;
  return [
    { value: "utc", label: "Every day, UTC" },
    { value: "local", label: local },
    { value: "every", label: "Every few minutes" },
  ];
}

interface WhenFieldsProps {
  readonly when: ScheduleTime;
  readonly onChange: (when: ScheduleTime) => void;
}

/** Chooses when a schedule runs: daily at a time of day, or at an interval of minutes. */
export function WhenFields({ when, onChange }: WhenFieldsProps) {
  const { timeZone } = useCapabilities();
  const kind: Kind = when.kind === "every" ? "every" : when.clock;
  const choose = (next: Kind): void => {
    if (next === "every") onChange({ kind: "every", minutes: 15 });
    else onChange({ kind: "daily", time: when.kind === "daily" ? when.time : "06:30", clock: next });
  };
  const isTime = scheduleTime.safeParse(when).success;
  return (
    <div className={classes["pair"]}>
      <Select label="When" showLabel choices={kinds(timeZone)} value={kind} onChange={choose} />
      {when.kind === "daily" ? (
        <TextField
          label="Time of day"
          value={when.time}
          onChange={(time) => onChange({ ...when, time: time.trim() })}
          problem={isTime ? null : "Write it as 06:30."}
          autoComplete="off"
        />
      ) : (
        <NumberField
          label="Minutes"
          value={when.minutes}
          min={1}
          max={10_080}
          onChange={(minutes) => onChange({ kind: "every", minutes: Math.round(minutes ?? 15) })}
        />
      )}
    </div>
  );
}
