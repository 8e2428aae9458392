import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isHangupIgnored } from "#main/cli/run.ts";
import { IS_GATE } from "../support/endurance.ts";
import { itUnless } from "../support/needs.ts";
import { COMMAND } from "./program.ts";
import { openHome, openTrial } from "./trial.ts";

const STATIONS = ["Torsvika", "Heinäniemi", "Svartöbacken", "Grindholmen"];
const DAYS = ["--from", "2026-10-01", "--to", "2026-10-02"];
const EARLIER_DAYS = ["--from", "2026-09-20", "--to", "2026-09-21"];

/** Part of the status of a process in Linux. */
function statusIgnoring(signals: string): string {
  return `Name:\tsh\nSigBlk:\t0000000000000001\nSigIgn:\t${signals}\n`;
}

/** Why a session in a terminal cannot be started; null if it can. */
function sessionMissing(shell: string): string | null {
  const { status } = spawnSync(shell, ["-c", "nohup true </dev/null >/dev/null 2>&1 && python3 -c 'import pty'"]);
  return status === 0 ? null : `needs ${shell}, nohup and Python's pty`;
}

const { service, home } = await openTrial();
service.setOrganization("demo", { maxPoints: 1_000 });
const undisturbed = await openHome(service);

describe("a stopped download", () => {
  const signals = [
    ["SIGINT", DAYS, "ztd,ztd_sigma"],
    ["SIGTERM", DAYS, "pwv"],
    ["SIGHUP", EARLIER_DAYS, "ztd,ztd_sigma"],
  ] as const;
  it.each(IS_GATE ? signals.slice(0, 1) : signals)(
    "exits with 130 after %s, prints a command to resume, and requests only what is missing",
    async (signal, days, variables) => {
      const vars = ["--vars", variables];
      // Slow responses, so that the download is still running when the signal arrives.
      service.setFaults([{ fault: { kind: "slow", delayMs: 500 }, endpoints: ["query"] }]);
      let isSent = false;
      const ended = await home.run(["fetch", ...STATIONS, ...days, ...vars, "--json"], {
        onStderr(text, child) {
          const [, done = "0"] = /"points_done":(\d+)[^]*$/.exec(text.trimEnd().split("\n").at(-1) ?? "") ?? [];
          if (isSent || Number(done) < 2_000) return;
          isSent = true;
          child.kill(signal);
        },
      });
      service.setFaults([]);
      expect(isSent).toBe(true);
      expect(ended.code).toBe(130);
      const { job, progress } = JSON.parse(ended.stdout) as {
        job: { resume: string };
        progress: Record<string, number>;
      };
      expect(progress["points_done"]).toBeLessThan(progress["points_total"]!);

      // The printed command runs in a shell, as the user would paste it.
      const env = { ...process.env, ZENITH_HOME: join(home.folder, "home") };
      const command = `${job.resume.replace(/^node/, "node --disable-warning=ExperimentalWarning")} --json`;
      service.resetStats();
      const resumed = await runInShell(command, home.folder, env);
      expect(resumed.code).toBe(0);
      type Figures = Readonly<Record<string, number>>;
      const again = JSON.parse(resumed.stdout) as { job: { state: string }; progress: Figures; run: Figures };
      expect(again.job.state).toBe("finished");
      const left = progress["points_total"]! - progress["points_done"]!;
      // Requests under way at the signal count as done, but are sent again.
      expect(again.run["points_total"]).toBeGreaterThanOrEqual(left);
      expect(again.run["points_total"]).toBeLessThan(progress["points_total"]!);
      expect(again.progress["points_total"]).toBe(progress["points_total"]);
    },
  );

  for (const shell of IS_GATE ? ["bash"] : ["dash", "bash"])
    itUnless(
      sessionMissing(shell),
      `continues after the end of its terminal under nohup, started by ${shell}`,
      async () => {
        service.setFaults([{ fault: { kind: "slow", delayMs: 150 }, endpoints: ["query"] }]);
        const [out, err] = [join(home.folder, `${shell}.json`), join(home.folder, `${shell}.err`)];
        const days = shell === "dash" ? ["2026-07-01", "2026-07-02"] : ["2026-08-01", "2026-08-02"];
        const fetch = ["fetch", "Torsvika", "--from", days[0], "--to", days[1], "--json"].join(" ");
        const { _: __, ...env } = process.env;
        // Between them is another shell, as npm puts one there.
        const line = `nohup sh -c '${COMMAND.map((word) => `"${word}"`).join(" ")} ${fetch}' >"${out}" 2>"${err}"`;
        const session = spawn("python3", ["-c", "import pty, sys; pty.spawn(sys.argv[1:])", shell, "-c", line], {
          env: { ...env, ZENITH_HOME: join(home.folder, "home") },
          stdio: "ignore",
        });
        await until(() => existsSync(err) && readFileSync(err, "utf8").includes("points_done"));
        // The end of the terminal hangs up on all programs in it.
        session.kill("SIGKILL");
        await until(() => readFileSync(out, "utf8") !== "");
        service.setFaults([]);
        expect(readFileSync(out, "utf8")).toContain('"state":"finished"');
      },
    );

  it("recognizes a parent that ignores SIGHUP, in its status of Linux", () => {
    expect(isHangupIgnored({}, statusIgnoring("0000000000001001"), "")).toBe(true);
    expect(isHangupIgnored({}, statusIgnoring("0000000000001000"), "")).toBe(false);
    expect(isHangupIgnored({ _: "/usr/bin/node" }, "", "flags:\t0100000")).toBe(false);
  });

  it("has the same rows in the end as an uninterrupted one", async () => {
    await undisturbed.json(["fetch", ...STATIONS, ...DAYS]);
    await home.json(["fetch", ...STATIONS, ...DAYS]);
    const [a, b] = await Promise.all(
      [home, undisturbed].map(async (h) => {
        await h.json(["export", ...STATIONS, ...DAYS, "--out", "days.csv"]);
        return readFileSync(join(h.folder, "days.csv"), "utf8");
      }),
    );
    expect(a!.length).toBeGreaterThan(1_000_000 / 3);
    expect(a === b).toBe(true);
  });
});

/** Resolves when a condition holds; what it depends on is in files of another session. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(20);
}

async function runInShell(command: string, cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn("sh", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  return new Promise<{ code: number | null; stdout: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout }));
  });
}
