import { escapeXml } from "#shared/text.ts";
import type { ScheduleTime } from "#shared/schedule/when.ts";
import { type TimedProgram } from "./timedProgram.ts";

/** A task of the Windows Task Scheduler; the program looks itself whether it is due. */
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
    `      <Arguments>${escapeXml(rest.map(argument).join(" "))}</Arguments>`,
    "    </Exec>",
    "  </Actions>",
    "</Task>",
    "",
  ].join("\n");
}

/** A boundary with Z is one of UTC; one without, of the computer's clock. */
function trigger(when: ScheduleTime): string[] {
  if (when.kind === "every")
    return [
      "    <TimeTrigger>",
      `      <Repetition><Interval>PT${when.minutes}M</Interval></Repetition>`,
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

/** As programs on Windows take their command line apart: backslashes count only before a quotation mark. */
function argument(text: string): string {
  return `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}
