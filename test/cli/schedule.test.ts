import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemTimer, timerId } from "#main/cli/schedule/systemTimers.ts";
import { missingLines } from "#main/cli/schedule/run.ts";
import { itUnless } from "../support/needs.ts";
import { SCRIPT } from "./program.ts";
import { openTrial } from "./trial.ts";

const KEY = "demo-key";
const ADD = ["schedule", "add", "Two days", "Torsvika", "Heinäniemi", "--daily", "6:30", "--vars", "ztd"];

interface RunDocument {
  readonly run: { readonly state: string; readonly rows: number; readonly files: readonly { readonly path: string }[] };
}

function systemdMissing(): string | null {
  const { error } = spawnSync("systemd-analyze", ["--version"]);
  return error ? "needs systemd-analyze, of the package systemd" : null;
}

const { service, home } = await openTrial();

describe("zenith schedule", () => {
  const out = join(home.folder, "out");
  const config = join(home.folder, "config");
  mkdirSync(out);

  it("adds a schedule, runs it, and shows the result in the list and the history", async () => {
    const range = ["--from", "now-3d", "--to", "now-1d"];
    const files = ["--format", "csv,nc", "--figure", "svg", "--template", "{name}_{format}.{ext}", "--out", "out"];
    const added = await home.run([...ADD, ...range, ...files]);
    expect(added).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/rror/) });
    expect(added.stdout).toContain("Saved “Two days”: every day at 06:30 UTC.");
    const ran = await home.run(["schedule", "run", "Two days"]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(
      /^Two days: (?:Complete|Delivered, data may still arrive): [\d,]+ rows downloaded, 3 files written\./,
    );
    expect(readdirSync(out).filter((name) => !name.endsWith(".json"))).toEqual([
      "Two-days_csv.csv",
      "Two-days_csv.svg",
      "Two-days_netcdf.nc",
    ]);
    // The second run, a few minutes later at most, replaces its own files and requests only the new minutes.
    const again = await home.json<RunDocument>(["schedule", "run", "Two days"]);
    expect(again.run.state).toMatch(/^(?:ok|mayStillArrive)$/);
    expect(again.run.rows).toBeLessThan(100);
    const list = await home.run(["schedule"]);
    expect(list.stdout).toMatch(
      /Two days +Every day at 06:30 UTC +2 +now-3d to now-1d +3 +\d +\d{4}-.*06:30 +.* (?:complete|delivered.*)/,
    );
    const { ranges } = await home.json<{ ranges: { files: object[]; delivered: string }[] }>([
      "schedule",
      "ledger",
      "Two days",
    ]);
    expect(ranges.at(-1)).toMatchObject({ state: expect.stringMatching(/final|mayStillArrive/), files: [{}, {}, {}] });
    const table = (await home.run(["schedule", "ledger", "Two days"])).stdout;
    expect(table).toMatch(
      /Range +Due +Tried +Delivered +Complete +Files +State\n[^]* 3 {2}(final|data may still arrive)/,
    );
    const history = await home.json<{ runs: { state: string; trigger: string }[] }>([
      "schedule",
      "history",
      "Two days",
    ]);
    expect(history.runs.map(({ state, trigger }) => `${state} ${trigger}`)).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^(?:ok|mayStillArrive) user$/)),
    );
  });

  it("refuses a folder that cannot be written, and tells once of one that has gone since", async () => {
    const gone = join(home.folder, "gone");
    const add = ["schedule", "add", "Lost", "Torsvika", "--daily", "6:30", "--format", "csv,nc", "--out", gone];
    expect(await home.run(add)).toMatchObject({ code: 6, stderr: expect.stringContaining("does not exist") });
    mkdirSync(gone);
    expect((await home.run(add)).code).toBe(0);
    rmSync(gone, { recursive: true });
    const { code, stdout, stderr } = await home.run(["schedule", "run", "Lost", "--quiet"]);
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr.match(/does not exist/g)).toEqual(["does not exist"]);
    await home.run(["schedule", "remove", "Lost"]);
  });

  it("replaces its own files after the data folder was renamed", async () => {
    const [before, after] = [join(home.folder, "before"), join(home.folder, "after")];
    const here = ["--data-folder", before];
    await home.json(["connect", service.url, "--name", "trial", ...here], 0, { env: { ZENITH_API_KEY: KEY } });
    await home.run(["schedule", "add", "Moved", "Torsvika", "--daily", "6:30", "--format", "csv", ...here]);
    const first = await home.json<RunDocument>(["schedule", "run", "Moved", ...here]);
    expect(first.run.files).toHaveLength(1);
    renameSync(before, after);
    const again = await home.json<RunDocument>(["schedule", "run", "Moved", "--data-folder", after]);
    expect(again.run).toMatchObject({
      // In the first hours of a day, data of the day before may still arrive.
      state: expect.stringMatching(/^(?:ok|mayStillArrive)$/),
      files: [{ path: first.run.files[0]?.path.replace(before, after) }],
    });
  });

  it("lists silent stations", async () => {
    const silent = service.world.stations.find((s) => s.lastDataMs !== null)!;
    const found = await home.json<{ silent: object[] }>(["watch", silent.id, "Torsvika", "--silent", "2h"], 3);
    expect(found.silent).toMatchObject([{ station_id: silent.id }]);
    expect((await home.run(["watch", "Torsvika"])).stdout).toBe("No station is silent.\n");
  });

  it("reports that data of stations without any may still arrive", () => {
    const stationIds = ["a", "b", "c", "d", "e", "f"];
    const missing = [{ state: "stale" as const, reason: null, stations: 7, stationIds }];
    expect(missingLines({ missing }, new Map([["a", "Kallio"]]))).toEqual([
      "  missing, may still arrive: Kallio, b, c, d, e and 2 more",
    ]);
  });

  it("runs with --due only after a scheduled time", async () => {
    service.resetStats();
    const early = await home.run(["schedule", "run", "Two days", "--due"]);
    expect(early).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringMatching(
        /“Two days”: it (tries an open range again at .*, and )?runs next at .* 06:30 UTC\./,
      ),
    });
    expect((await home.run(["schedule", "pause", "Two days"])).code).toBe(0);
    expect((await home.run(["schedule", "run", "Two days", "--due"])).stderr).toContain("is paused");
    expect((await home.run(["schedule", "resume", "Two days"])).stdout).toMatch(/It runs next at .* 06:30 UTC/);
    expect(service.stats.requests).toBe(0);
  });

  it("exits with the codes of fetch", async () => {
    const [kept] = service.world.stations.filter((s) => s.displayName === "Torsvika");
    const range = ["--from", "now-9d", "--to", "now-8d"];
    await home.json([...ADD.with(2, "Codes"), ...range, "--format", "csv", "--out", "out"]);
    service.setOrganization("demo", { withheldStationIds: [kept?.id ?? ""] });
    const partly = await home.run(["schedule", "run", "Codes"]);
    service.setOrganization("demo", { withheldStationIds: [] });
    expect(partly).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/Incomplete:[^]*no access: Torsvika: The service/),
    });
    expect((await home.run(["schedule", "history", "Codes"])).stdout).toMatch(
      /Incomplete: [^\n]*\n {2}no access: Torsvika: The service/,
    );
    await home.json([...ADD.with(2, "Codes"), "--from", "now-19d", "--to", "now-18d", "--force"]);
    service.setOrganization("demo", { key: "another-key" });
    const refused = await home.json<RunDocument>(["schedule", "run", "Codes"], 4);
    expect(refused.run).toMatchObject({ state: "failed", fault_kind: "key", files: [] });
    service.setOrganization("demo", { key: KEY });
  });

  it("rejects invalid input with a message", async () => {
    const wrong: [string[], RegExp][] = [
      [ADD, /“Two days” exists already\. --force/],
      [[...ADD.with(2, "New"), "--every", "15m"], /--daily 06:30 or --every/],
      [[...ADD.with(2, "New"), "--from", "2026-01-01", "--to", "2026-01-02"], /has to move with the clock/],
      [[...ADD.with(2, "New"), "--from", "now-9d", "--keep-days", "5"], /Keep at least 9 days/],
      [ADD.with(2, "a$b"), /name: use letters/],
      [ADD.with(2, "New").with(6, "25:00"), /written as 06:30/],
      [[...ADD.with(2, "New"), "--catch-up", "a week"], /is not a whole number from 0/],
      [[...ADD.with(2, "New"), "--since", "2026-13-01"], /--since/],
      [
        [...ADD.with(2, "New").toSpliced(5, 2, "--every", "1m"), "--from", "now-1h", "--since", "2026-01-01"],
        /More than 50,000 ranges/,
      ],
      [[...ADD.with(2, "New"), "--format", "pdf"], /a format that does not exist/],
      [[...ADD.with(2, "New"), "--saved", "No such"], /no saved export “No such”/],
      [["schedule", "run", "Nobody"], /no schedule “Nobody”\. Choose from “Codes”, “Two days”/],
      [["schedule", "uninstall", "Two days"], /No timer of “Two days” is installed/],
    ];
    const ended = await Promise.all(wrong.map(([words]) => home.run(words)));
    ended.forEach(({ code, stderr }, i) => {
      expect(stderr).toMatch(wrong[i]?.[1] ?? /$^/);
      expect(code).toBe(2);
    });
  });

  it("installs systemd units with absolute paths and without a key, and uninstalls them", async () => {
    const plain = Object.fromEntries(
      ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NODE_EXTRA_CA_CERTS"].map((name) => [name, ""]),
    );
    const env = { ...plain, SSL_CERT_FILE: "/office.pem", XDG_CONFIG_HOME: config };
    const installed = await home.run(["schedule", "install", "Two days", "--for", "systemd"], { env });
    expect(installed).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^The system runs this schedule without SSL_CERT_FILE of this shell\. [^]*--ca FILE(?:[^]*enable-linger)?/,
      ),
    });
    const units = join(config, "systemd", "user");
    const id = timerId("Two days");
    expect(readdirSync(units).toSorted()).toEqual([`${id}.service`, `${id}.timer`]);
    expect(installed.stdout).toContain(`systemctl --user enable --now ${id}.timer`);
    const service_ = readFileSync(join(units, `${id}.service`), "utf8");
    expect(service_).toContain(`"${SCRIPT}"`);
    expect(service_).toContain(`"--data-folder" "${join(home.folder, "home")}" "schedule" "run" "Two days" "--due"`);
    expect(service_).not.toContain(KEY);
    mkdirSync(join(units, "timers.target.wants"));
    writeFileSync(join(units, "timers.target.wants", `${id}.timer`), "");
    // The unit starts this program from any folder.
    const [program = "", ...words] = [...service_.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) => word ?? "");
    expect(program).toBe(`:${process.execPath}`);
    const started = execFileSync(process.execPath, words, { cwd: "/", encoding: "utf8", stdio: "pipe" });
    expect(started).toBe("");
    expect((await home.run(["schedule", "uninstall", "Two days", "--for", "systemd"], { env })).code).toBe(0);
    expect(readdirSync(units, { recursive: true })).toEqual(["timers.target.wants"]);
  });

  it("prints a launchd agent and a Windows task", async () => {
    const plist = await home.run(["schedule", "install", "Two days", "--for", "launchd", "--print"]);
    const task = await home.run(["schedule", "install", "Two days", "--for", "task-scheduler", "--print"]);
    expect(plist.stdout).toContain("<key>StartCalendarInterval</key>");
    const system = ["schedule", "install", "Two days", "--system", "--print", "--for"];
    expect((await home.run([...system, "systemd"])).stdout).toMatch(
      /# \/etc\/systemd\/system\/zenith-two-days[^]*^User=\w+$[^]*OnCalendar=\*-\*-\* \*:00\/15:00/m,
    );
    expect((await home.run([...system, "launchd"])).stdout).toMatch(/<key>UserName<\/key>\s*<string>\w+</);
    expect((await home.run([...system, "task-scheduler"])).stdout).toContain("<LogonType>S4U</LogonType>");
    expect(task.stdout).toContain("<StartBoundary>2026-01-01T06:30:00Z</StartBoundary>");
    for (const { stdout } of [plist, task]) expect(stdout).not.toContain(KEY);
    expect(existsSync(join(home.folder, "Library"))).toBe(false);
    const read = `import plistlib, sys; d = plistlib.loads(sys.stdin.buffer.read()); print(d["Label"], d["ProgramArguments"][-2])`;
    const parsed = execFileSync("python3", ["-c", read], { input: plist.stdout, encoding: "utf8" });
    expect(parsed).toBe(`${timerId("Two days")} Two days\n`);
    const parse = `import sys, xml.etree.ElementTree as e; print(len(e.fromstring(sys.stdin.buffer.read().decode().replace("UTF-16", "UTF-8").encode())))`;
    expect(execFileSync("python3", ["-c", parse], { input: task.stdout, encoding: "utf8" })).toBe("4\n");
  });

  itUnless(systemdMissing(), "systemd accepts every timer and service", () => {
    const folder = join(home.folder, "units");
    mkdirSync(folder);
    // The path of the program may contain anything as well.
    const program = join(folder, "a $HOME 100% ü");
    symlinkSync(process.execPath, program);
    const times = [1, 7, 15, 45, 60, 90, 720, 1_440, 10_080].map((minutes) => ({ kind: "every", minutes }) as const);
    const daily = (["utc", "local"] as const).map((clock) => ({ kind: "daily", time: "06:30", clock }) as const);
    const paths = [...times, ...daily].flatMap((when, i) => {
      const words = [program, `/tmp/a "b" 100% $HOME \\ ü\nExecStart=/bin/false`, "run", "--due"];
      const timed = {
        schedule: { name: "50% of “it”", when },
        id: `zenith-${i}`,
        words,
        ...(i % 2 === 0 ? {} : { user: "root" }),
      };
      const { files } = systemTimer("systemd", timed, folder);
      expect(files[0]?.text.match(/^ExecStart/gm)).toHaveLength(1);
      return files.map(({ path, text }) => {
        writeFileSync(join(folder, basename(path)), text);
        return join(folder, basename(path));
      });
    });
    execFileSync("systemd-analyze", ["verify", "--user", "--man=no", ...paths], {
      stdio: "pipe",
      env: { ...process.env, XDG_RUNTIME_DIR: folder },
    });
  });

  it("starts the program at each time of a schedule that begins again at midnight UTC", () => {
    const when = { kind: "every", minutes: 420 } as const;
    const program = { schedule: { name: "A", when }, id: "x", words: ["zenith"] };
    const [, timer] = systemTimer("systemd", program, home.folder).files;
    const times = [...(timer?.text.matchAll(/^OnCalendar=(\*-\*-\* .* UTC)$/gm) ?? [])].map(([, time]) => time);
    expect(times).toEqual(["00:00", "07:00", "14:00", "21:00"].map((time) => `*-*-* ${time}:00 UTC`));
    expect(systemTimer("task-scheduler", program, home.folder).files[0]?.text).toContain("<Interval>PT60M</Interval>");
  });

  it("quotes words by the rules of Windows", () => {
    const words = ["C:\\Program Files\\Zenith.exe", "--data-folder", 'C:\\a "b"\\', "run & co"];
    const schedule = { name: "A <b>", when: { kind: "every", minutes: 20 } } as const;
    const { text } = systemTimer("task-scheduler", { schedule, id: "x", words }, home.folder).files[0]!;
    expect(text).toContain("<Command>C:\\Program Files\\Zenith.exe</Command>");
    expect(text).toContain("&quot;C:\\a \\&quot;b\\&quot;\\\\&quot; &quot;run &amp; co&quot;");
    expect(text).toContain("<Interval>PT20M</Interval>");
  });

  it("removes a schedule with its history, and keeps its files", async () => {
    expect((await home.run(["schedule", "remove", "Two days"])).stdout).toBe("Removed “Two days”.\n");
    expect((await home.json<{ schedules: object[] }>(["schedule"])).schedules.length).toBe(1);
    expect(existsSync(join(out, "Two-days_csv.csv"))).toBe(true);
  });
});
