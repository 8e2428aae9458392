import { escapeXml } from "#shared/text.ts";
import type { ScheduleTime } from "#shared/schedule/when.ts";
import { commonDivisor, DAY_MINUTES } from "./clockTime.ts";
import { type TimedProgram } from "./timedProgram.ts";

/** A task for the Windows Task Scheduler. The program itself checks whether a run is due. */
export function taskFile({ schedule, words }: TimedProgram): string {
  const [command = "", ...rest] = words;
  return [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    "  <RegistrationInfo>",
    `    <Description>${escapeXml(`Zenith Desk: ${schedule.name}`)}</Description>`,
    "  </RegistrationInfo>",
    "  <Triggers>",
    ...trigger(schedule.when),
    "  </Triggers>",
    "  <Settings>",
    "    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>",
    "    <StartWhenAvailable>true</StartWhenAvailable>",
    "    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>",
    "    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>",
    "  </Settings>",
    "  <Actions>",
    "    <Exec>",
    `      <Command>${escapeXml(command)}</Command>`,
    `      <Arguments>${escapeXml(rest.map(quoteArgument).join(" "))}</Arguments>`,
    "    </Exec>",
    "  </Actions>",
    "</Task>",
    "",
  ].join("\n");
}

/** Boundaries with Z are in UTC, others in local time. */
function trigger(when: ScheduleTime): string[] {
  if (when.kind === "every")
    return [
      "    <TimeTrigger>",
      // The repetition never restarts at midnight, so it has to meet the times of every day.
      `      <Repetition><Interval>PT${commonDivisor(when.minutes, DAY_MINUTES)}M</Interval></Repetition>`,
      "      <StartBoundary>2026-01-01T00:00:00Z</StartBoundary>",
      "    </TimeTrigger>",
    ];
  return [
    "    <CalendarTrigger>",
    `      <StartBoundary>2026-01-01T${when.time}:00${when.clock === "utc" ? "Z" : ""}</StartBoundary>`,
    "      <ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>",
    "    </CalendarTrigger>",
  ];
}

/** Quotes an argument for Windows, where backslashes are special only before a quotation mark. */
function quoteArgument(text: string): string {
  return `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}
