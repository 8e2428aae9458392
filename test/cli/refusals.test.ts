import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorld } from "#service/world/index.ts";
import { openService } from "../support/openService.ts";
import { KEY, openHome } from "./trial.ts";
import { itNightly } from "../support/needs.ts";

const EVIL = "Evil\u001b[2J\u001b]0;title\u0007 \u202Eexe.\nsecond line\u009b31m";
const DAY = ["--day", "2026-10-05"];

const world = createWorld();
const [first, ...others] = world.stations;
const service = await openService({ world: { ...world, stations: [{ ...first!, displayName: EVIL }, ...others] } });
const home = await openHome(service, ["stations"]);

describe("a failed command", () => {
  it.each([
    [["plan", "Nowhere", ...DAY], /no station “Nowhere”/],
    [["fetch", "Torsvika"], /--month 2026-10/],
    [["fetch", ...DAY], /Name the stations/],
    [["fetch", "Torsvika", ...DAY, "--vars", "ztd,wind"], /“wind” is not a variable/],
    [["fetch", "Torsvika", ...DAY, "--interval", "10s"], /at least 30/],
    [["fetch", "--resume"], /no job to resume/],
    [["export", "Torsvika", ...DAY, "--out", "x.docx"], /--format/],
    [["nearest", "Torsvika", "--within", "2d"], /60 s to 24 h/],
    [["plan", "Torsvika", "--last", "7"], /“7” has no unit\..* 6h or 7d/],
    [["cache", "forget"], /--before/],
    [["stations", "--connection", "other"], /no connection “other”/],
    [["connect", "gnss.example.org"], /https:\/\//],
    [["connect", "http://192.0.2.1"], /unencrypted.*--allow-plain-http/],
    [["connect", "https://user:pw@gnss.example.org"], /user/],
    [["stations", "--colour"], /unknown option/],
    [["stations", "--country", "Finland"], /two letters/],
    [["measure"], /unknown command/],
    [["help", "fetsh"], /^There is no command and no topic “fetsh”\. Did you mean “fetch”\?/],
    [["help", "cache", "forgot"], /^There is no command and no topic “cache forgot”\. Did you mean “forget”\?/],
    [["fetsh", "--help"], /unknown command 'fetsh'/],
    [["cache", "help", "forgot"], /^error: unknown command 'forgot'\n\(Did you mean forget\?\)/],
  ])("exits with 2: %j", async (args, message) => {
    const ended = await home.run(args);
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
  });

  it.each([
    [["measure"], /unknown command 'measure'/],
    [["fetsh"], /unknown command 'fetsh' \(Did you mean fetch\?\)/],
    [["help", "fetsh"], /no topic “fetsh”\. Did you mean “fetch”\?/],
    [["stations", "--colour"], /unknown option '--colour'/],
    [["fetch", "Torsvika", "--interval", "7"], /“7” has no unit/],
    [["jobs", "surplus"], /too many arguments/],
    [[], /Name a command/],
  ])("exits with 2 and one JSON line with --json anywhere: %j", async (args, message) => {
    for (const words of [
      ["--json", ...args],
      [...args, "--json"],
    ]) {
      const { code, stdout, stderr } = await home.run(words);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(JSON.parse(stderr)).toEqual({
        event: "error",
        kind: "usage",
        message: expect.stringMatching(message),
        exit_code: 2,
      });
    }
  });

  it.each([
    [["service", "--config", "."], /configuration cannot be read\. This is the name of a folder/],
    [["service", "--config", "nowhere.json"], /configuration cannot be read\. .*nowhere\.json/],
    [["session", "open", "."], /This is a folder/],
    [["session", "open", "gone.zenith"], /gone\.zenith does not exist\. Check its folder/],
    [["open", "gone.nc"], /gone\.nc does not exist\./],
    [["compare", "cache", "gone.nc"], /gone\.nc does not exist\./],
    [["compare", "gone.nc", "cache"], /gone\.nc does not exist\./],
    [["compare", "cache", import.meta.filename], /refusals\.test\.ts/],
    [["compare", "cache", "cache", "--variable", "pwv", "--pressure", "gone.csv"], /gone\.csv does not exist\./],
    [["cache", "adopt", "gone.db"], /gone\.db/],
    [["restore", "gone.db"], /gone\.db does not exist\. Check its folder/],
    [["jobs", "--data-folder", join(import.meta.filename, "below")], /data folder .* cannot be created/],
  ])("exits with 6: %j", async (args, message) => {
    const ended = await home.run(args);
    expect(ended).toMatchObject({ code: 6, stdout: "", stderr: expect.stringMatching(message) });
    expect(ended.stderr).not.toMatch(/EISDIR|ENOENT|ENOTDIR|EEXIST/);
  });

  it.each([
    [["stations"]],
    [["fetch", "Torsvika", ...DAY]],
    [["gaps", "Torsvika", ...DAY]],
    [["compare", "cache", "cache"]],
    [["jobs"]],
    [["exports"]],
    [["schedule"]],
    [["cache"]],
    [["cache", "adopt"]],
    [["session", "views"]],
    [["connect"]],
    [["connect", "--remove", "trial"]],
  ])("does not create a mistyped data folder: %j", async (words) => {
    const folder = join(home.folder, "mistyped");
    const { code, stdout, stderr } = await home.run([...words, "--data-folder", folder]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/There is no folder .*mistyped: check --data-folder\./);
    expect(existsSync(folder)).toBe(false);
  });

  it("creates a data folder for a new connection", async () => {
    const words = ["--data-folder", join(home.folder, "created")];
    await home.json(["connect", service.url, "--name", "other", ...words], 0, { env: KEY });
    expect(await home.json(["connect", ...words])).toMatchObject({ connections: [{ name: "other" }] });
    await home.json(["cache", "--connection", "demo", "--data-folder", join(home.folder, "demonstrated")]);
  });

  it("removes no connection that has schedules, and names them", async () => {
    await home.json(["schedule", "add", "Morning", "Torsvika", "--daily", "06:30"]);
    expect(await home.run(["connect", "--remove", "trial"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/“trial” has 1 schedule, whose history would be lost: “Morning”/),
    });
    expect((await home.json(["connect"]))["connections"]).toHaveLength(1);
    await home.json(["schedule", "remove", "Morning"]);
  });

  it("exits with 2 if a key is in the arguments, and does not repeat it", async () => {
    const ended = await home.run(["connect", service.url, "--apikey=hunter2-secret"]);
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("ZENITH_API_KEY") });
    expect(ended.stderr).not.toContain("hunter2");
  });

  it("exits with 4 and saves nothing without a key, with a wrong one, or one in a file that others can read", async () => {
    service.resetStats();
    const connect = ["connect", service.url, "--name", "second"];
    expect(await home.run(connect)).toMatchObject({ code: 4, stderr: expect.stringContaining("ZENITH_API_KEY") });
    const file = join(home.folder, "key file");
    writeFileSync(file, "demo-key\n", { mode: 0o644 });
    chmodSync(file, 0o644);
    const open = await home.run([...connect, "--key-file", "key file"]);
    expect(open).toMatchObject({ code: 4, stderr: expect.stringContaining("chmod 600") });
    expect(await home.run([...connect, "--key-file", "none"])).toMatchObject({ code: 4 });
    expect(await home.run([...connect, "--key-file", "."])).toMatchObject({
      code: 4,
      stderr: `The API key cannot be read. ${home.folder} is a folder. Name a file in it.\n`,
    });
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

  it("exits with 4 if the key is revoked; with a valid key, the download resumes", async () => {
    const stations = ["Torsvika", "--day", "2026-09-01"];
    service.setOrganization("demo", { key: "new-key" });
    const refused = await home.json(["fetch", ...stations], 4);
    expect(refused).toMatchObject({ job: { state: "needsKey", resume: expect.stringContaining("fetch --resume ") } });
    service.setOrganization("demo", { key: "demo-key" });
    expect(await home.json(["fetch", "--resume"])).toMatchObject({ job: { state: "finished" } });
    expect(await home.run(["fetch", "--resume", ""])).toMatchObject({ code: 2 });
  });

  it("exits with 3 if a station is forbidden, names it and downloads the others", async () => {
    const { stations } = await home.json<{ stations: { id: string }[] }>(["stations", "--search", "Grindholmen"]);
    const { id } = stations[0]!;
    service.setOrganization("demo", { withheldStationIds: [id] });
    const ended = await home.run(["fetch", "Grindholmen", "Heinäniemi", ...DAY]);
    service.setOrganization("demo", { withheldStationIds: [] });
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/Grindholmen +0 +forbidden: /);
    expect(ended.stdout).toMatch(/Heinäniemi +2,\d{3} +ok/);
  });

  itNightly("says that it waits for the service only if it does", async () => {
    const fetch = ["fetch", "Torsvika", "--from", "2026-07-01", "--to", "2026-07-02"];
    for (const [fault, wait, isAwaited] of [
      [{ kind: "status", status: 502 }, "2s", true],
      [{ kind: "status", status: 502 }, "0", false],
      [{ kind: "html" }, "2s", false],
    ] as const) {
      service.setFaults([{ fault, endpoints: ["query"] }]);
      const ended = await home.run([...fetch, "--wait-for-service", wait]);
      expect([fault, wait, ended]).toMatchObject([fault, wait, { code: 5 }]);
      expect([fault, wait, ended.stderr.includes("Waiting for the service")]).toEqual([fault, wait, isAwaited]);
    }
    service.setFaults([]);
  });

  it("asks a new service that does not answer once if the user does not want to wait", async () => {
    let calls = 0;
    const silent = createServer((socket) => void (calls++, socket.destroy())).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const ended = await home.run(["connect", url, "--name", "none", "--wait-for-service", "0"], { env: KEY });
    silent.close();
    expect([ended.code, calls]).toEqual([5, 1]);
  });

  it("exits with 6 if the data folder is a file, or the file a folder", async () => {
    mkdirSync(join(home.folder, "taken.csv"), { recursive: true });
    const ended = await home.run(["export", "Heinäniemi", ...DAY, "--out", "taken.csv"]);
    expect([ended.code, ended.stderr]).toEqual([6, expect.stringContaining("taken.csv is a folder")]);
    expect(readdirSync(join(home.folder, "taken.csv"))).toEqual([]);
    writeFileSync(join(home.folder, "file"), "");
    expect(await home.run(["jobs", "--data-folder", "file"])).toMatchObject({ code: 6 });
  });

  it("shows names of stations without control characters; JSON keeps them exactly", async () => {
    const { stdout } = await home.run(["stations", "--network", "NORDA"]);
    expect(stdout).toContain("Evil‹U+001B›[2J‹U+001B›]0;title‹U+0007› ‹U+202E›exe.‹U+000A›second line‹U+009B›31m");
    // oxlint-disable-next-line no-control-regex -- the test is about control characters
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(stdout.trimEnd().split("\n")).toHaveLength(2 + 16);
    const raw = await home.run(["stations", "--search", "evil", "--json"]);
    // oxlint-disable-next-line no-control-regex -- as above
    expect(raw.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(JSON.parse(raw.stdout)).toMatchObject({ stations: [{ display_name: EVIL }] });
  });

  it("exits with 5 if the service is unreachable; cached stations and data remain available, with their age", async () => {
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

  it("writes the key only to its own file", () => {
    const found: string[] = [];
    for (const entry of readdirSync(home.folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && readFileSync(path).includes("demo-key")) found.push(entry.name);
    }
    expect(found.filter((name) => !name.endsWith(".key")).toSorted()).toEqual(["key file"]);
  });
});
