import { lowerFirst } from "#shared/text.ts";
import { useState } from "react";
import { MAX_NAME_LENGTH } from "#shared/file/savedExport.ts";
import { freeName } from "#shared/views/view.ts";
import {
  DEFAULT_CATCH_UP_DAYS,
  type Schedule,
  schedule as scheduleSchema,
  scheduledRange,
} from "#shared/schedule/schedule.ts";
import { nextTime, ownTimeZone, readTimeOfDay, type ScheduleTime } from "#shared/schedule/when.ts";
import { movingText, PRESETS } from "#shared/time/typed.ts";
import { useCall } from "../../ask/useCall.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useGroups } from "../../stores/groups.ts";
import type { DialogOf } from "../../stores/dialogs.ts";
import { useSchedules } from "../../stores/schedules.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Select, Switch, choicesFrom } from "../../ui/choices.tsx";
import { WindowDialog, useClose } from "../../ui/Dialog.tsx";
import { Form, TextField } from "../../ui/fields.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import { many, utcMinutes } from "../../ui/text.ts";
import { NAME_PROBLEM } from "../export/formats.ts";
import { intervalWords } from "../fetch/labels.ts";
import { rangeWords, variableWords } from "../jobs/labels.ts";
import { currentData } from "./draft.ts";
import { type PartProps, ScheduledFiles } from "./ScheduledFiles.tsx";
import { stationsText } from "./labels.ts";
import classes from "./schedules.module.css";
import { fieldsOf } from "../../ui/fieldsOf.ts";

const NOTICES = choicesFrom({
  failure: "If data are missing or a step fails",
  end: "At the end of every run",
  never: "Never",
});

const DEFAULT_KEEP_DAYS = 30;

/** The form of a schedule: when it runs, what it downloads, and which files it writes. */
function ScheduleForm({ edited }: { readonly edited: DialogOf<"schedule"> }) {
  const close = useClose();
  const nowMs = useNowMs();
  const { timeZone } = useCapabilities();
  const others = useSchedules()?.filter(({ id }) => id !== edited.id) ?? [];
  const taken = new Set(others.map((kept) => kept.schedule.name));
  const [draft, setDraft] = useState(() =>
    // A new schedule gets a number if its name is taken.
    edited.id === null
      ? { ...edited.schedule, name: freeName(edited.schedule.name, taken, MAX_NAME_LENGTH) }
      : edited.schedule,
  );
  const { fault, run, clearFault } = useCall();
  const isTaken = taken.has(draft.name.trim());
  const change = (part: Partial<Schedule>): void => {
    setDraft({ ...draft, ...part });
    clearFault();
  };
  const when = readWhen(draft.when);
  const field = fieldsOf(draft, change);
  const read = scheduleSchema.safeParse({ ...draft, when });
  const invalidFields = new Set(read.success ? [] : read.error.issues.map((issue) => String(issue.path[0])));
  const submit = async (): Promise<void> => {
    if (!read.success) return;
    const saved = { id: edited.id, schedule: read.data, before: edited.schedule };
    const answer = await run(() => bridge.schedules.save(saved));
    if (!answer.ok) return;
    const next = answer.value.nextRunMs;
    showToast(`“${read.data.name}” was saved.${next === null ? "" : ` It runs next at ${utcMinutes(next)} UTC.`}`);
    close();
  };
  const range = scheduledRange(draft, nowMs);
  const nameProblem = isTaken ? "Another schedule has this name." : invalidFields.has("name") ? NAME_PROBLEM : null;
  return (
    <Form
      onSubmit={submit}
      fault={fault}
      action={{
        label: "Save",
        autoFocus: true,
        isDisabled: !read.success || isTaken,
      }}
    >
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(300px,100%),1fr))] gap-x-6 gap-y-3">
        <div className="stack gap-3 min-w-0">
          <TextField label="Name" {...field("name")} problem={nameProblem} autoComplete="off" />
          <WhenFields when={draft.when} onChange={field("when").onChange} />
          <DataFields draft={draft} onChange={change} />
          <RangeField draft={draft} onChange={change} />
          <NumberField
            label="Catch up on missed ranges, days"
            value={draft.catchUpDays}
            min={0}
            max={36_500}
            onChange={(days) => change({ catchUpDays: Math.round(days ?? DEFAULT_CATCH_UP_DAYS) })}
          />
          <AlarmFields draft={draft} onChange={change} />
        </div>
        <div className="stack gap-3 min-w-0">
          <ScheduledFiles draft={draft} onChange={change} />
          <DeletionFields draft={draft} onChange={change} />
          <Select label="Notify me" showLabel choices={NOTICES} {...field("notice")} />
        </div>
      </div>
      <p className={classes["quiet"]}>
        {invalidFields.has("range")
          ? "The time range of each run has to move with the clock."
          : invalidFields.has("when") || range === null
            ? null
            : `Next run ${utcMinutes(nextTime(when, nowMs, timeZone))} UTC. A run now would cover ${rangeWords(range)}.`}
      </p>
    </Form>
  );
}

const LIST = "list";
const SELECTION = "selection";

/** Chooses the stations: the saved list, a group with its members at each run, or the current selection. */
function DataFields({ draft, onChange }: PartProps) {
  const byId = useCatalogue((s) => s.byId);
  const groups = useGroups();
  const selected = useWorkspace((s) => s.stationIds.length);
  const { stations } = draft;
  const choices = [
    ...(stations.kind === "list" ? [{ value: LIST, label: stationsText(draft, byId) }] : []),
    ...groups.map(({ name, stationIds }) => ({
      value: `group ${name}`,
      label: `Group “${name}”`,
      detail: many(stationIds.length, "station"),
    })),
    ...(selected > 0 ? [{ value: SELECTION, label: "Current selection" }] : []),
  ];
  const choose = (value: string): void => {
    if (value === LIST) return;
    if (value === SELECTION) return onChange(currentData() ?? {});
    onChange({ stations: { kind: "group", name: value.slice("group ".length) } });
  };
  return (
    <div>
      <Select
        label="Stations and data"
        showLabel
        choices={choices}
        value={stations.kind === "list" ? LIST : `group ${stations.name}`}
        onChange={choose}
      />
      <p className={`${classes["quiet"]} mt-1`}>
        {variableWords(draft.variables)} · {lowerFirst(intervalWords(draft.intervalSeconds, draft.zone))}
        {draft.raw ? " · raw" : ""}
      </p>
    </div>
  );
}

/** Chooses whether each run deletes older data, and how many days it keeps. */
function DeletionFields({ draft: { keepDays }, onChange }: PartProps) {
  return (
    <>
      <Switch value={keepDays !== null} onChange={(isOn) => onChange({ keepDays: isOn ? DEFAULT_KEEP_DAYS : null })}>
        Delete older cached data after each run
      </Switch>
      {keepDays === null ? null : (
        <div>
          <NumberField
            label="Days to keep"
            value={keepDays}
            min={1}
            max={36_500}
            onChange={(days) => onChange({ keepDays: days ?? DEFAULT_KEEP_DAYS })}
          />
          <p className={`${classes["quiet"]} mt-1`}>
            Deletes all older cached data of these stations and variables, no matter how they were downloaded. Pinned
            stations are kept.
          </p>
        </div>
      )}
    </>
  );
}

/** Chooses when a run raises an alarm: a silent station, or incomplete data. */
function AlarmFields({ draft: { silentMinutes, completeBelow }, onChange }: PartProps) {
  return (
    <div className="grid grid-cols-[1fr_1fr] gap-2">
      <NumberField
        label="Alarm after silence, minutes"
        placeholder="never"
        value={silentMinutes}
        min={1}
        max={525_600}
        onChange={(minutes) => onChange({ silentMinutes: minutes === null ? null : Math.round(minutes) })}
      />
      <NumberField
        label="Alarm below completeness, %"
        placeholder="never"
        value={completeBelow === null ? null : Math.round(completeBelow * 1_000) / 10}
        min={0.1}
        max={100}
        onChange={(percent) => onChange({ completeBelow: percent === null ? null : percent / 100 })}
      />
    </div>
  );
}

function key(moving: Schedule["range"]): string {
  return JSON.stringify([moving.start, moving.end]);
}

/** Chooses the time range, which moves with the clock. */
function RangeField({ draft: { range }, onChange }: PartProps) {
  const own = PRESETS.some((preset) => key(preset) === key(range)) ? [] : [range];
  return (
    <Select
      label="Time range of each run"
      showLabel
      choices={[...own, ...PRESETS].map((moving) => ({ value: key(moving), label: movingText(moving) }))}
      value={key(range)}
      onChange={(value) => {
        const preset = PRESETS.find((one) => key(one) === value);
        if (preset) onChange({ range: { start: preset.start, end: preset.end } });
      }}
    />
  );
}

/** The dialog that creates or edits a schedule. */
export function ScheduleDialog() {
  return (
    <WindowDialog kind="schedule" title={({ id }) => (id === null ? "New schedule" : "Edit the schedule")} wide>
      {(edited) => <ScheduleForm edited={edited} />}
    </WindowDialog>
  );
}

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

/** The time with its hours and minutes as they are stored, if it can be read. */
function readWhen(when: ScheduleTime): ScheduleTime {
  return when.kind === "daily" ? { ...when, time: readTimeOfDay(when.time) ?? when.time } : when;
}

/** Chooses when a schedule runs: daily at a time of day, or at an interval of minutes. */
function WhenFields({ when, onChange }: WhenFieldsProps) {
  const { timeZone } = useCapabilities();
  const kind: Kind = when.kind === "every" ? "every" : when.clock;
  const choose = (next: Kind): void => {
    if (next === "every") onChange({ kind: "every", minutes: 15 });
    else onChange({ kind: "daily", time: when.kind === "daily" ? when.time : "06:30", clock: next });
  };
  return (
    <div className="grid grid-cols-[1fr_1fr] gap-2">
      <Select label="When" showLabel choices={kinds(timeZone)} value={kind} onChange={choose} />
      {when.kind === "daily" ? (
        <TextField
          label="Time of day"
          value={when.time}
          onChange={(time) => onChange({ ...when, time })}
          onBlur={() => onChange(readWhen(when))}
          problem={readTimeOfDay(when.time) === null ? "Write it as 06:30." : null}
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
