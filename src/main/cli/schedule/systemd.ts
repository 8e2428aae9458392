import type { ScheduleTime } from "#shared/schedule/when.ts";
import { clockTime, commonDivisor, DAY_MINUTES } from "./clockTime.ts";
import type { TimedProgram } from "./timedProgram.ts";

/** Up to this number, times of a day are listed individually. */
const MAX_LISTED_TIMES = 48;

/** A systemd service that runs once, and the timer that starts it. */
export function systemdFiles({ schedule, words }: TimedProgram): { readonly service: string; readonly timer: string } {
  const description = `Zenith Desk: ${schedule.name}`.replaceAll("%", "%%");
  const service = ["[Unit]", `Description=${description}`, "", "[Service]", "Type=oneshot"];
  const times = calendarTimes(schedule.when).map((time) => `OnCalendar=${time}`);
  const timer = ["[Unit]", `Description=${description}`, "", "[Timer]", ...times, "Persistent=true", "AccuracySec=1s"];
  return {
    service: lines([...service, `ExecStart=${words.map(quoteWord).join(" ")}`]),
    timer: lines([...timer, "", "[Install]", "WantedBy=timers.target"]),
  };
}

/** Calendar expressions at which a schedule may be due. The program itself checks whether it is. */
export function calendarTimes(when: ScheduleTime): string[] {
  if (when.kind === "daily") return [`*-*-* ${when.time}:00${when.clock === "utc" ? " UTC" : ""}`];
  const { minutes } = when;
  const timesPerDay = Math.ceil(DAY_MINUTES / minutes);
  if (minutes <= DAY_MINUTES && timesPerDay <= MAX_LISTED_TIMES) {
    const starts = Array.from({ length: timesPerDay }, (_, i) => i * minutes);
    return starts.map((start) => `*-*-* ${clockTime(start)}:00 UTC`);
  }
  const step = commonDivisor(minutes, 60);
  return [`*-*-* *:${step === 60 ? "00" : `00/${step}`}:00 UTC`];
}

/** Quotes a word of a command for a unit file. */
function quoteWord(text: string): string {
  const plain = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$");
  return `"${plain}"`;
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
