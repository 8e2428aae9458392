import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Schedule } from "#shared/schedule/schedule.ts";
import { RETRY_MINUTES, type ScheduleTime } from "#shared/schedule/when.ts";
import { escapeXml } from "#shared/text.ts";

/** System services that start programs at given times. */
export const TIMERS = ["systemd", "launchd", "task-scheduler"] as const;
type TimerKind = (typeof TIMERS)[number];

interface TimerFile {
  readonly path: string;
  readonly text: string;
  readonly encoding: "utf8" | "utf16le";
}

/** Files that make a system run a schedule, and the commands that enable and disable it. */
export interface SystemTimer {
  readonly files: readonly TimerFile[];
  readonly on: readonly string[];
  readonly off: readonly string[];
  /** Links created by enabling it, which are removed with the files. */
  readonly links: readonly string[];
}

export function timerKindOf(platform: NodeJS.Platform): TimerKind {
  if (platform === "win32") return "task-scheduler";
  return platform === "darwin" ? "launchd" : "systemd";
}

/** A unique id for a schedule, valid as the name of a file and a unit on every system. */
export function timerId(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 6);
  return `zenith-${plain === "" ? "" : `${plain.slice(0, 60)}-`}${hash}`;
}

/**
 * The timer of a user, or, for a program with `user`, of the system, which needs no login session.
 *
 * @param dataFolder for the file of the Task Scheduler, which has no user folder for such files
 */
export function systemTimer(
  kind: TimerKind,
  program: TimedProgram,
  dataFolder: string,
  env: NodeJS.ProcessEnv = process.env,
): SystemTimer {
  const { id } = program;
  const isSystem = program.user !== undefined;
  if (kind === "systemd") {
    const ofUser = join(env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "systemd", "user");
    const folder = isSystem ? "/etc/systemd/system" : ofUser;
    const systemctl = isSystem ? "sudo systemctl" : "systemctl --user";
    const { service, timer } = systemdFiles(program);
    return {
      files: [
        { path: join(folder, `${id}.service`), text: service, encoding: "utf8" },
        { path: join(folder, `${id}.timer`), text: timer, encoding: "utf8" },
      ],
      on: [`${systemctl} daemon-reload`, `${systemctl} enable --now ${id}.timer`],
      off: [`${systemctl} stop ${id}.timer`, `${systemctl} daemon-reload`],
      links: [join(folder, "timers.target.wants", `${id}.timer`)],
    };
  }
  if (kind === "launchd") {
    const folder = isSystem ? "/Library/LaunchDaemons" : join(homedir(), "Library", "LaunchAgents");
    const path = join(folder, `${id}.plist`);
    const domain = isSystem ? "system" : "gui/$(id -u)";
    const launchctl = isSystem ? "sudo launchctl" : "launchctl";
    return {
      files: [{ path, text: launchdFile(program), encoding: "utf8" }],
      on: [`${launchctl} bootstrap ${domain} '${path}'`],
      off: [`${launchctl} bootout ${domain}/${id}`],
      links: [],
    };
  }
  const path = join(dataFolder, "scheduled", `${id}.xml`);
  return {
    // schtasks reads no other encoding.
    files: [{ path, text: taskFile(program), encoding: "utf16le" }],
    on: [`schtasks /Create /TN "Zenith Desk\\${id}" /XML "${path}"`],
    off: [`schtasks /Delete /F /TN "Zenith Desk\\${id}"`],
    links: [],
  };
}

/** A program for the system to start. */
interface TimedProgram {
  readonly schedule: Pick<Schedule, "name" | "when">;
  /** Valid as a file name on every system. */
  readonly id: string;
  /** The program and its arguments, with absolute paths. */
  readonly words: readonly string[];
  /** The account that it runs under without a login session; only the administrator may install such a timer. */
  readonly user?: string;
}

const DAY_MINUTES = 1_440;

/** Whether the planned times alone are too rare for other tries. */
function needsRetries(when: ScheduleTime): boolean {
  return when.kind === "daily" || when.minutes > RETRY_MINUTES;
}

function twoDigits(n: number): string {
  return String(n).padStart(2, "0");
}

/** Formats minutes after midnight as "06:30". */
function clockTime(minutes: number): string {
  return `${twoDigits(Math.floor(minutes / 60) % 24)}:${twoDigits(minutes % 60)}`;
}

/** Parses "06:30" to minutes after midnight. */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return 60 * hours + minutes;
}

/** The largest number of minutes that divides both. */
function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** A property list for launchd. The program itself checks whether a run is due. */
function launchdFile({ schedule, id, words, user }: TimedProgram): string {
  const { when } = schedule;
  const minutes = when.kind === "every" ? Math.min(when.minutes, RETRY_MINUTES) : RETRY_MINUTES;
  const times = when.kind === "every" ? [] : localTimes(when).map(calendarEntry);
  const start = [
    "  <key>StartInterval</key>",
    `  <integer>${60 * minutes}</integer>`,
    ...(times.length === 0 ? [] : ["  <key>StartCalendarInterval</key>", "  <array>", ...times, "  </array>"]),
    ...(user === undefined ? [] : ["  <key>UserName</key>", `  <string>${escapeXml(user)}</string>`]),
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
 * Local times of day at which a schedule may be due. With daylight saving time, one UTC time is two local times, and a
 * local time that does not exist on one day is moved on that day. The clock changes of this year and the next one count.
 */
function localTimes(when: Extract<ScheduleTime, { kind: "daily" }>): string[] {
  const year = new Date().getFullYear();
  const minutes = minutesOf(when.time);
  const days = Array.from({ length: 2 * 366 }, (_, day) =>
    when.clock === "utc" ? new Date(Date.UTC(year, 0, 1 + day, 0, minutes)) : new Date(year, 0, 1 + day, 0, minutes),
  );
  return [...new Set(days.map((day) => clockTime(60 * day.getHours() + day.getMinutes())))].toSorted();
}

function calendarEntry(time: string): string {
  const minutes = minutesOf(time);
  const entries = `<key>Hour</key><integer>${Math.floor(minutes / 60)}</integer><key>Minute</key><integer>${minutes % 60}</integer>`;
  return `    <dict>${entries}</dict>`;
}

/** Up to this number, times of a day are listed individually. */
const MAX_LISTED_TIMES = 48;

/** A systemd service that runs once, and the timer that starts it. */
function systemdFiles({ schedule, words, user }: TimedProgram): {
  readonly service: string;
  readonly timer: string;
} {
  const description = `Zenith Desk: ${schedule.name}`.replaceAll("%", "%%");
  const account = user === undefined ? [] : [`User=${user}`];
  const service = ["[Unit]", `Description=${description}`, "", "[Service]", "Type=oneshot", ...account];
  const retries = needsRetries(schedule.when) ? [`*-*-* *:00/${RETRY_MINUTES}:00`] : [];
  const times = [...calendarTimes(schedule.when), ...retries].map((time) => `OnCalendar=${time}`);
  const timer = ["[Unit]", `Description=${description}`, "", "[Timer]", ...times, "Persistent=true", "AccuracySec=1s"];
  return {
    // The colon keeps “$” from being a variable, in the path of the program too.
    service: joinLines([
      ...service,
      `ExecStart=${words.map((word, i) => quoteWord(i === 0 ? `:${word}` : word)).join(" ")}`,
    ]),
    timer: joinLines([...timer, "", "[Install]", "WantedBy=timers.target"]),
  };
}

/** Calendar expressions at which a schedule may be due. The program itself checks whether it is. */
function calendarTimes(when: ScheduleTime): string[] {
  if (when.kind === "daily")
    return when.clock === "utc" ? [`*-*-* ${when.time}:00 UTC`] : localTimes(when).map((time) => `*-*-* ${time}:00`);
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
  const plain = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%");
  // A line break would end the setting.
  const escaped = plain.replaceAll(/\p{Cc}/gu, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `"${escaped}"`;
}

function joinLines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}

/** A task for the Windows Task Scheduler. The program itself checks whether a run is due. */
function taskFile({ schedule, words, user }: TimedProgram): string {
  const [command = "", ...rest] = words;
  return [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    "  <RegistrationInfo>",
    `    <Description>${escapeXml(`Zenith Desk: ${schedule.name}`)}</Description>`,
    "  </RegistrationInfo>",
    "  <Triggers>",
    ...trigger(schedule.when),
    ...(needsRetries(schedule.when) ? repetition(RETRY_MINUTES) : []),
    "  </Triggers>",
    ...(user === undefined ? [] : principal(user)),
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

/** Runs whether or not the user is logged on, without a stored password. */
function principal(user: string): string[] {
  return [
    "  <Principals>",
    '    <Principal id="Author">',
    `      <UserId>${escapeXml(user)}</UserId>`,
    "      <LogonType>S4U</LogonType>",
    "    </Principal>",
    "  </Principals>",
  ];
}

function repetition(minutes: number): string[] {
  return [
    "    <TimeTrigger>",
    `      <Repetition><Interval>PT${minutes}M</Interval></Repetition>`,
    "      <StartBoundary>2026-01-01T00:00:00Z</StartBoundary>",
    "    </TimeTrigger>",
  ];
}

/** Boundaries with Z are in UTC, others in local time. */
function trigger(when: ScheduleTime): string[] {
  // The repetition never restarts at midnight, so it has to meet the times of every day.
  if (when.kind === "every") return repetition(commonDivisor(when.minutes, DAY_MINUTES));
  const starts = when.clock === "utc" ? [`${when.time}:00Z`] : localTimes(when).map((time) => `${time}:00`);
  return starts.flatMap((start) => [
    "    <CalendarTrigger>",
    `      <StartBoundary>2026-01-01T${start}</StartBoundary>`,
    "      <ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>",
    "    </CalendarTrigger>",
  ]);
}

/** Quotes an argument for Windows, where backslashes are special only before a quotation mark. */
function quoteArgument(text: string): string {
  return `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}
