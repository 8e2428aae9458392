import { escapeXml } from "#shared/text.ts";
import type { ScheduleTime } from "#shared/schedule/when.ts";
import { clockTime, DAY_MINUTES, minutesOf } from "./clockTime.ts";
import { type TimedProgram } from "./timedProgram.ts";

/** A property list for launchd. The program itself checks whether a run is due. */
export function launchdFile({ schedule, id, words }: TimedProgram): string {
  const start =
    schedule.when.kind === "every"
      ? ["  <key>StartInterval</key>", `  <integer>${60 * schedule.when.minutes}</integer>`]
      : [
          "  <key>StartCalendarInterval</key>",
          "  <array>",
          ...localTimes(schedule.when).map(calendarEntry),
          "  </array>",
        ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    "<dict>",
    "  <key>Label</key>",
    `  <string>${escapeXml(id)}</string>`,
    "  <key>ProgramArguments</key>",
    "  <array>",
    ...words.map((word) => `    <string>${escapeXml(word)}</string>`),
    "  </array>",
    ...start,
    "  <key>ProcessType</key>",
    "  <string>Background</string>",
    "</dict>",
    "</plist>",
    "",
  ].join("\n");
}

/**
 * Local times of day at which a schedule may be due. launchd has no UTC, and with daylight saving time, one UTC time is
 * two local times.
 *
 * @param year whose clock changes count
 */
export function localTimes(when: Extract<ScheduleTime, { kind: "daily" }>, year = new Date().getFullYear()): string[] {
  if (when.clock === "local") return [when.time];
  const months = Array.from({ length: 12 }, (_, month) => new Date(year, month, 1));
  const times = months.map((month) => {
    const minutes = minutesOf(when.time) - month.getTimezoneOffset();
    return clockTime((minutes + DAY_MINUTES) % DAY_MINUTES);
  });
  return [...new Set(times)].toSorted();
}

function calendarEntry(time: string): string {
  const minutes = minutesOf(time);
  const entries = `<key>Hour</key><integer>${Math.floor(minutes / 60)}</integer><key>Minute</key><integer>${minutes % 60}</integer>`;
  return `    <dict>${entries}</dict>`;
}
