import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../../src/service/index.ts";
import { createWorld } from "../../src/service/world/index.ts";
import { type Home, makeHome } from "./program.ts";

const EVIL = "Evil\u001b[2J\u001b]0;title\u0007 \u202Eexe.\nsecond line\u009b31m";
const KEY = { ZENITH_API_KEY: "demo-key" };
const DAY = ["--day", "2026-10-05"];

describe("what goes wrong ends with a sentence and a code that means it", () => {
  let service: RunningService;
  let home: Home;

  beforeAll(async () => {
    const world = createWorld();
    const [first, ...others] = world.stations;
    service = await startService({ world: { ...world, stations: [{ ...first!, displayName: EVIL }, ...others] } });
    home = makeHome();
    await home.json(["connect", service.url, "--name", "trial"], 0, { env: KEY });
    await home.json(["stations"]);
  });
  afterAll(async () => {
    await service.close();
    home.remove();
  });

  it.each([
    [["plan", "Nowhere", ...DAY], /no station “Nowhere”/],
    [["fetch", "Torsvika"], /--month 2026-10/],
    [["fetch", ...DAY], /Name the stations/],
    [["fetch", "Torsvika", ...DAY, "--vars", "ztd,wind"], /“wind” is not a variable/],
    [["fetch", "Torsvika", ...DAY, "--interval", "10"], /at least 30/],
    [["fetch", "--resume"], /no job to resume/],
    [["export", "Torsvika", ...DAY, "--out", "x.docx"], /--format/],
    [["nearest", "Torsvika", "--within", "2d"], /60 s to 24 h/],
    [["cache", "forget"], /--before/],
    [["stations", "--connection", "other"], /no connection “other”/],
    [["connect", "gnss.example.org"], /https:\/\//],
    [["connect", "http://192.0.2.1"], /unencrypted.*--allow-plain-http/],
    [["connect", "https://user:pw@gnss.example.org"], /user/],
    [["stations", "--colour"], /unknown option/],
    [["stations", "--country", "Finland"], /two letters/],
    [["measure"], /unknown command/],
  ])("2: %j", async (args, sentence) => {
    const ended = await home.run(args);
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(sentence) });
  });

  it.each([
    [["service", "--config", "."], /configuration cannot be read\. This is the name of a folder/],
    [["service", "--config", "nowhere.json"], /configuration cannot be read\. .*nowhere\.json/],
    [["session", "open", "."], /This is a folder/],
    [["jobs", "--data-folder", join(import.meta.filename, "below")], /data folder .* cannot be created/],
  ])("6: %j", async (args, sentence) => {
    const ended = await home.run(args);
    expect(ended).toMatchObject({ code: 6, stdout: "", stderr: expect.stringMatching(sentence) });
    expect(ended.stderr).not.toMatch(/EISDIR|ENOENT|ENOTDIR|EEXIST/);
  });

  it("2: a key among the arguments is refused and not repeated", async () => {
    const ended = await home.run(["connect", service.url, "--apikey=hunter2-secret"]);
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("ZENITH_API_KEY") });
    expect(ended.stderr).not.toContain("hunter2");
  });

  it("4: no key, a wrong key, a key in a file that others can read; none of them keeps anything", async () => {
    service.resetStats();
    const connect = ["connect", service.url, "--name", "second"];
    expect(await home.run(connect)).toMatchObject({ code: 4, stderr: expect.stringContaining("ZENITH_API_KEY") });
    const file = join(home.folder, "key file");
    writeFileSync(file, "demo-key\n", { mode: 0o644 });
    chmodSync(file, 0o644);
    const open = await home.run([...connect, "--key-file", "key file"]);
    expect(open).toMatchObject({ code: 4, stderr: expect.stringContaining("chmod 600") });
    expect(await home.run([...connect, "--key-file", "none"])).toMatchObject({ code: 4 });
    expect(await home.run(connect, { env: { ZENITH_API_KEY: "two words" } })).toMatchObject({ code: 4 });
    expect(service.stats.requests).toBe(0);

    const wrong = await home.run(connect, { env: { ZENITH_API_KEY: "wrong-key" } });
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).not.toContain("wrong-key");
    const { connections } = await home.json(["connect"]);
    expect(connections).toHaveLength(1);
    expect(readdirSync(join(home.folder, "home", "keys"))).toHaveLength(1);

    chmodSync(file, 0o600);
    expect(await home.run([...connect, "--key-file", "key file"])).toMatchObject({ code: 0 });
    expect(await home.run(["stations"])).toMatchObject({ code: 2, stderr: expect.stringContaining("“second”") });
    expect(await home.run(["connect", "--remove", "second"])).toMatchObject({ code: 0 });
  });

  it("4: a key that is revoked stops the download, and a good one resumes it", async () => {
    const stations = ["Torsvika", "--day", "2026-09-01"];
    service.setOrganization("demo", { key: "new-key" });
    const refused = await home.json(["fetch", ...stations], 4);
    expect(refused).toMatchObject({ job: { state: "needsKey", resume: expect.stringContaining("fetch --resume ") } });
    service.setOrganization("demo", { key: "demo-key" });
    expect(await home.json(["fetch", "--resume"])).toMatchObject({ job: { state: "finished" } });
  });

  it("3: a station that is forbidden is named, the others arrive", async () => {
    const { stations } = await home.json<{ stations: { id: string }[] }>(["stations", "--search", "Grindholmen"]);
    const { id } = stations[0]!;
    service.setOrganization("demo", { withheldStationIds: [id] });
    const ended = await home.run(["fetch", "Grindholmen", "Heinäniemi", ...DAY]);
    service.setOrganization("demo", { withheldStationIds: [] });
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/Grindholmen +0 +forbidden: /);
    expect(ended.stdout).toMatch(/Heinäniemi +2,\d{3} +ok/);
  });

  it("6: a data folder that is none; a folder in the place of the file", async () => {
    mkdirSync(join(home.folder, "taken.csv"), { recursive: true });
    const ended = await home.run(["export", "Heinäniemi", ...DAY, "--out", "taken.csv"]);
    expect([ended.code, ended.stderr]).toEqual([6, expect.stringContaining("taken.csv is a folder")]);
    expect(readdirSync(join(home.folder, "taken.csv"))).toEqual([]);
    writeFileSync(join(home.folder, "file"), "");
    expect(await home.run(["jobs", "--data-folder", "file"])).toMatchObject({ code: 6 });
  });

  it("names of stations cannot command the terminal, and are the same in JSON", async () => {
    const { stdout } = await home.run(["stations", "--network", "NORDA"]);
    expect(stdout).toContain("Evil‹U+001B›[2J‹U+001B›]0;title‹U+0007› ‹U+202E›exe.‹U+000A›second line‹U+009B›31m");
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(stdout.trimEnd().split("\n")).toHaveLength(2 + 16);
    const raw = await home.run(["stations", "--search", "evil", "--json"]);
    // oxlint-disable-next-line no-control-regex -- as above
    expect(raw.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(JSON.parse(raw.stdout)).toMatchObject({ stations: [{ display_name: EVIL }] });
  });

  it("with --json, what went wrong is an object on stderr", async () => {
    const ended = await home.run(["plan", "Nowhere", ...DAY, "--json"]);
    expect(JSON.parse(ended.stderr)).toMatchObject({ event: "error", exit_code: 2, message: expect.any(String) });
  });

  it("5: a service that is gone; the kept catalogue and the cache still serve, and tell their age", async () => {
    await home.run(["fetch", "Torsvika", ...DAY]);
    await service.close();
    const connected = await home.run(["connect", service.url, "--name", "late"], { env: KEY });
    expect(connected).toMatchObject({ code: 5, stderr: expect.stringMatching(/\.$/m) });
    const listed = await home.run(["stations", "--refresh", "--wait-for-service", "0"]);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining("Heinäniemi") });
    expect(listed.stderr).toMatch(/saved catalogue is .* old/);
    expect(await home.run(["stations", "--offline"])).toMatchObject({ code: 0 });
    expect(await home.run(["fetch", "Torsvika", ...DAY])).toMatchObject({ code: 0 });
    expect(await home.run(["export", "Torsvika", ...DAY, "--out", "offline.csv"])).toMatchObject({ code: 0 });
    expect(existsSync(join(home.folder, "offline.csv"))).toBe(true);
  });

  it("the key is in no file that the runs left but its own", () => {
    const found: string[] = [];
    for (const entry of readdirSync(home.folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && readFileSync(path).includes("demo-key")) found.push(entry.name);
    }
    expect(found.filter((name) => !name.endsWith(".key")).toSorted()).toEqual(["key file"]);
  });
});
