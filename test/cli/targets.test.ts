import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../../src/service/index.ts";
import { type Home, makeHome, SCRIPT } from "./program.ts";

const DAY = ["--day", "2026-10-05"];

describe.skipIf(process.platform === "win32")("where exports go", () => {
  let service: RunningService;
  let home: Home;

  beforeAll(async () => {
    service = await startService();
    home = makeHome();
    await home.json(["connect", service.url, "--name", "trial"], 0, { env: { ZENITH_API_KEY: "demo-key" } });
    await home.json(["fetch", "Torsvika", "Heinäniemi", ...DAY]);
  });
  afterAll(async () => {
    await service.close();
    home.remove();
  });

  function folder(name: string): string {
    const path = join(home.folder, name);
    mkdirSync(path);
    return path;
  }

  it("to the next program in a pipe: the bytes of the file and nothing else, at the end of what is there already", async () => {
    const out = folder("pipe");
    expect(await home.run(["export", "Torsvika", ...DAY, "--out", "pipe/file.csv"])).toMatchObject({ code: 0 });
    const expected = readFileSync(join(out, "file.csv"), "utf8");
    const words = ["export", "Torsvika", ...DAY, "--format", "csv", "--out"];
    const piped = await home.run([...words, "-"]);
    expect(piped).toMatchObject({ code: 0, stdout: expected, stderr: expect.stringContaining(" rows in all.") });
    expect(await home.run([...words, "/dev/stdout", "--json"])).toMatchObject({ code: 0, stdout: expected });
    writeFileSync(join(out, "log"), "before\n");
    const command = `"$0" "$@" >> ${JSON.stringify(join(out, "log"))}`;
    const env = { ...process.env, ZENITH_HOME: join(home.folder, "home") };
    spawnSync("sh", ["-c", command, process.execPath, SCRIPT, ...words, "/dev/stdout"], { env });
    expect(readFileSync(join(out, "log"), "utf8")).toBe(`before\n${expected}`);
    const both = await home.run([...words, "-", "--vars", "ztd,prn,el,az,snr"]);
    expect(both).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("takes one file") });
  });

  it("to a file each, also when nobody reads what is said of them", async () => {
    const out = folder("each");
    const words = ["export", "all", ...DAY, "--template", "{stations}.csv", "--per-station", "--out", "each"];
    const ended = await home.run(words, { closeStdoutAfter: 1 });
    expect(ended.code).toBe(0);
    expect(ended.stderr).not.toContain("EPIPE");
    const files = readdirSync(out);
    expect(files.filter((name) => name.endsWith(".csv"))).toHaveLength(67);
    expect(files.filter((name) => name.endsWith(".csv.json"))).toHaveLength(67);
    expect(files).toHaveLength(2 * 67);
  });

  it("a list whose reader has seen enough ends quietly", async () => {
    for (const words of [["gaps", "all", ...DAY, "--csv"], ["stations"], ["stations", "--json"]]) {
      const ended = await home.run(words, { closeStdoutAfter: 1 });
      expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining("EPIPE") });
    }
  });

  it("what a killed export left is gone after the next command, whichever that is", async () => {
    const out = folder("killed");
    const isLeft = (): boolean => readdirSync(out).some((name) => name.endsWith(".zenith-part"));
    // Killed as soon as its temporary file is there; one that was quicker than that is started again.
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
    expect(await home.run(["jobs"])).toMatchObject({ code: 0 });
    expect(isLeft()).toBe(false);
  });

  it("has limits that are told before anything is fetched", async () => {
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
