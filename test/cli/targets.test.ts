import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SCRIPT } from "./program.ts";
import { openTrial } from "./trial.ts";
import { describeUnless, WINDOWS_LACKS } from "../support/needs.ts";

const DAY = ["--day", "2026-10-05"];

const RESAMPLE = ["resample", "Torsvika", ...DAY, "--interval", "30s", "--as", "csv"];
const { service, home } = await openTrial(["fetch", "Torsvika", "Heinäniemi", ...DAY]);

function folder(name: string): string {
  const path = join(home.folder, name);
  mkdirSync(path);
  return path;
}

describeUnless(WINDOWS_LACKS, "exports", () => {
  it("write the same bytes to a pipe as to a file, without messages, and append to an existing file", async () => {
    const out = folder("pipe");
    expect(await home.run(["export", "Torsvika", ...DAY, "--out", "pipe/file.csv"])).toMatchObject({ code: 0 });
    const expected = readFileSync(join(out, "file.csv"), "utf8");
    const words = ["export", "Torsvika", ...DAY, "--format", "csv", "--out"];
    const piped = await home.run([...words, "-"], { asProcess: true });
    expect(piped).toMatchObject({ code: 0, stdout: expected, stderr: expect.stringContaining(" rows in all.") });
    expect(await home.run([...words, "/dev/stdout", "--json"], { asProcess: true })).toMatchObject({
      code: 0,
      stdout: expected,
    });
    writeFileSync(join(out, "log"), "before\n");
    const command = `"$0" "$@" >> ${JSON.stringify(join(out, "log"))}`;
    const env = { ...process.env, ZENITH_HOME: join(home.folder, "home") };
    spawnSync("sh", ["-c", command, process.execPath, SCRIPT, ...words, "/dev/stdout"], { env });
    expect(readFileSync(join(out, "log"), "utf8")).toBe(`before\n${expected}`);
    const both = await home.run([...words, "-", "--vars", "ztd,prn,el,az,snr"], { asProcess: true });
    expect(both).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("takes one file") });
  });

  it("write one file per station after the reader of stdout has closed it", async () => {
    const out = folder("each");
    const words = ["export", "all", ...DAY, "--template", "{stations}.csv", "--per-station", "--out", "each"];
    const ended = await home.run(words, { closeStdoutAfter: 1 });
    // The data of other stations are not downloaded.
    expect(ended.code).toBe(3);
    expect(ended.stderr).not.toContain("EPIPE");
    const files = readdirSync(out);
    expect(files.filter((name) => name.endsWith(".csv"))).toHaveLength(67);
    expect(files.filter((name) => name.endsWith(".csv.json"))).toHaveLength(67);
    expect(files).toHaveLength(2 * 67);
  });

  it("and lists exit with 0 if the reader closes the pipe early, and count no rows that were not read", async () => {
    const piped = ["export", "Torsvika", ...DAY, "--format", "csv", "--out", "-", "--allow-incomplete"];
    const cut = await home.run(piped, { closeStdoutAfter: 1 });
    expect(cut).toMatchObject({ code: 0, stderr: expect.stringContaining("The reader closed the output") });
    expect(cut.stderr).not.toContain("rows in all");
    for (const words of [["gaps", "all", ...DAY, "--csv"], ["stations"], ["stations", "--json"], [...RESAMPLE]]) {
      const ended = await home.run(words, { closeStdoutAfter: 1 });
      expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining("EPIPE") });
    }
  });

  it("leave no temporary file after a kill and a later export to the same folder", async () => {
    const out = folder("killed");
    const isLeft = (): boolean => readdirSync(out).some((name) => name.endsWith(".zenith-part"));
    // Killed when its temporary file appears; a faster export is repeated.
    for (let turn = 0; turn < 10 && !isLeft(); turn++) {
      const stop = new AbortController();
      const seen = new Promise<void>((resolve) => {
        watch(out, { signal: stop.signal }, (_, name) => void (name?.endsWith(".zenith-part") && resolve()));
      });
      await home.run(["export", "Torsvika", ...DAY, "--out", `killed/${turn}.sqlite`, "--json"], {
        onStart: (child) => void seen.then(() => child.kill("SIGKILL")),
      });
      stop.abort();
    }
    expect(isLeft()).toBe(true);
    const later = await home.run(["export", "Torsvika", ...DAY, "--out", "killed/later.csv", "--allow-incomplete"]);
    expect(later).toMatchObject({ code: 0 });
    expect(isLeft()).toBe(false);
  });

  it("reject too long names before a request", async () => {
    service.resetStats();
    const name = `${"n".repeat(250)}.csv.csv`;
    const ended = await home.run(["export", "Torsvika", "--day", "2026-09-01", "--fetch", "--out", name]);
    expect(ended).toMatchObject({ code: 6, stdout: "", stderr: expect.stringContaining("has 258 bytes") });
    expect(service.stats.requests).toBe(0);
    const longest = `${"n".repeat(251)}.csv`;
    expect(await home.run(["export", "Torsvika", ...DAY, "--out", longest])).toMatchObject({ code: 0 });
    expect(readdirSync(home.folder)).toContain(longest);
  });
});
