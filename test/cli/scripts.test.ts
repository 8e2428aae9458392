import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectDocument, expectLine } from "./jsonForms.ts";
import { FASTER, SCRIPT } from "./program.ts";
import { openTrial } from "./trial.ts";

// What scripts of users rely on, as scripts: bash with the built program as `zenith` on its PATH.

const { home } = await openTrial();
const bin = join(home.folder, "bin");
mkdirSync(bin);
writeFileSync(join(bin, "zenith"), `#!/bin/sh\nexec "${process.execPath}" "${SCRIPT}" "$@"\n`);
chmodSync(join(bin, "zenith"), 0o755);
await home.json(["fetch", "Torsvika", "Heinäniemi", "--day", "2026-10-05"]);

/** Runs a script; lines of `code COMMAND` print exit codes. */
async function bash(script: string, env: Record<string, string> = {}) {
  const head = 'code() { "$@" >/dev/null 2>&1; echo "$?"; }\n';
  // Not synchronously: the service runs in this process.
  const child = spawn("bash", ["-c", head + script], {
    cwd: home.folder,
    env: { ...FASTER, PATH: `${bin}:/usr/bin:/bin`, HOME: home.folder, ZENITH_HOME: join(home.folder, "home"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr, lines: stdout.trim().split("\n") };
}

describe("a script", () => {
  it("reads the outcome from the exit code", async () => {
    const { lines } = await bash(
      `code zenith stations
       code zenith bogus
       code zenith export Torsvika --day 2026-10-05 --out full.csv
       code zenith export Torsvika --day 2026-10-05 --out full.csv
       code zenith export Torsvika --day 2026-10-04 --out none.csv
       ZENITH_API_KEY=wrong code zenith stations --refresh
       ZENITH_API_KEY=demo-key code zenith connect http://127.0.0.1:1 --wait-for-service 0
       code timeout -s INT 2 zenith service --port 0`,
    );
    expect(lines.map(Number)).toEqual([0, 2, 0, 6, 3, 4, 5, 124]);
  });

  it("pipes documents to programs that parse them", async () => {
    const { stdout, stderr } = await bash("zenith --json plan Torsvika 'Mast*' --month 2026-10");
    expectDocument(JSON.parse(stdout));
    for (const line of stderr.split("\n").filter((each) => each !== "")) expectLine(JSON.parse(line));
    const { missing } = JSON.parse(stdout) as { missing: { within: object }[] };
    expect(missing[0]?.within).toEqual({ start: expect.stringMatching(/Z$/), end: expect.stringMatching(/Z$/) });
  });

  it("stops reading a pipe early, and joins programs by pipes", async () => {
    const { lines } = await bash(
      `zenith export Torsvika --day 2026-10-05 --format csv --out - --quiet | head -1
       echo "\${PIPESTATUS[0]}"
       zenith stations --quiet --csv --columns station,id --country NO | tail -n +2 | cut -d, -f2 | zenith plan - --day 2026-10-05 --json | grep -c '"document":"plan"'
       printf 'Torsvika\\n# a comment\\n\\nHeinäniemi\\n' > list.txt
       zenith gaps @list.txt --day 2026-10-05 --csv | head -1`,
    );
    expect(lines).toEqual([
      expect.stringMatching(/^station_id,/),
      "0",
      "1",
      "station_id,display_name,variable,cause,start,end,duration_s",
    ]);
  });

  it("prints nothing with --quiet but the result, and with errors what failed", async () => {
    expect(await bash("zenith --quiet fetch Torsvika --day 2026-10-05")).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "",
    });
    const exported = await bash("zenith --quiet export Torsvika --day 2026-10-05 --out q.csv");
    expect(exported).toMatchObject({ status: 0, stdout: "", stderr: "" });
    const incomplete = await bash("zenith --quiet export Torsvika --day 2026-10-04 --out q4.csv");
    expect(incomplete).toMatchObject({
      status: 3,
      stdout: "",
      stderr: expect.stringMatching(/^Data .*not downloaded/),
    });
    expect(incomplete.stderr).toContain("Download them with “fetch”, or add --fetch");
    const failed = await bash("zenith --quiet export Torsvika --day 2026-10-05 --out q.csv");
    expect(failed).toMatchObject({ status: 6, stdout: "", stderr: expect.stringContaining("--force") });
  });

  it("runs from cron, without an environment", async () => {
    const key = readFileSync(join(bin, "zenith"), "utf8").split('"');
    const { status, stderr } = await bash(
      `env -i HOME="$HOME" ZENITH_HOME="$ZENITH_HOME" "${key[1]}" "${SCRIPT}" --quiet export Torsvika --day 2026-10-05 --out cron.csv`,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(readFileSync(join(home.folder, "cron.csv"), "utf8")).toBe(
      readFileSync(join(home.folder, "full.csv"), "utf8"),
    );
  });
});

describe("means of cached observations", () => {
  it("are exported with --interval if no means of the service are cached", async () => {
    const { lines, stderr } = await bash(
      `zenith export Torsvika --day 2026-10-05 --interval 6h --vars ztd --out means.csv >/dev/null
       zenith resample Torsvika --day 2026-10-05 --interval 6h --vars ztd --out same.csv >/dev/null
       cmp means.csv same.csv && wc -l < means.csv`,
    );
    expect(stderr).toContain("means of cached observations");
    expect(lines).toEqual(["5"]);
  });

  it("are those of local days, which begin at local midnight", async () => {
    const { lines } = await bash(
      `zenith fetch Torsvika --from 2026-10-24 --to 2026-10-27 --vars ztd --quiet
       zenith resample Torsvika --from 2026-10-25 --to 2026-10-26 --interval 1d --zone Europe/Helsinki --vars ztd --as csv`,
    );
    const times = lines.slice(1).map((line) => line.split(",")[1]);
    expect(times).toEqual(["2026-10-24T21:00:00Z", "2026-10-25T22:00:00Z"]);
    const words = ["resample", "Torsvika", "--from", "2026-10-25", "--to", "2026-10-26"];
    for (const wrong of ["--interval 6h --zone Europe/Helsinki", "--interval 1d --zone Europe/Nowhere"])
      expect(await home.run([...words, ...wrong.split(" ")])).toMatchObject({ code: 2, stdout: "" });
    const files = await bash(
      `days="Torsvika --from 2026-10-25 --to 2026-10-26 --interval 1d --zone Europe/Helsinki --vars ztd"
       zenith --quiet resample $days --out local-days.csv --allow-incomplete &&
       zenith --quiet export $days --out same-days.csv --allow-incomplete && cmp local-days.csv same-days.csv && cut -d, -f3,4 local-days.csv | tr -d '\\r'`,
    );
    expect(files).toMatchObject({ stderr: "", status: 0 });
    expect(files.lines).toEqual(["time,interval_s", "2026-10-24T21:00:00Z,90000", "2026-10-25T22:00:00Z,86400"]);
  });
});

describe("a table", () => {
  it("has the columns that were chosen, also as CSV", async () => {
    expect((await bash("zenith stations --offline --columns station,id --csv")).lines[0]).toBe("station,id");
    expect((await bash("zenith stations --offline --columns in,station")).lines.slice(0, 1)).toEqual([
      expect.stringMatching(/^In +Station/),
    ]);
    expect(await bash("zenith stations --offline --columns nothing")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("station, place, in, network, latest"),
    });
  });
});
