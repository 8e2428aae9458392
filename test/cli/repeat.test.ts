import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { savedExportsIn } from "#main/app/namedRecords.ts";
import { openUserStore } from "#main/store/index.ts";
import type { SavedExport } from "#shared/file/savedExport.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { openTrial } from "./trial.ts";

const DAY_START_MS = Date.UTC(2026, 9, 5);
const FIXED = { kind: "fixed", range: { startMs: DAY_START_MS, endMs: DAY_START_MS + DAY_MS } } as const;
const BY_HAND = ["export", "Torsvika", "Heinäniemi", "--day", "2026-10-05", "--vars", "ztd,pwv"];

interface Fetched {
  readonly rows: number;
  readonly files: readonly { readonly path: string }[];
}

function yesterday(): string {
  return `Yesterday ${new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)}.csv`;
}

const { service, home } = await openTrial();

/** Saves an export as the window does. */
function save(name: string, change: Partial<SavedExport> = {}): void {
  const users = openUserStore(join(home.folder, "home", "user.db"));
  const stationIds = ["Torsvika", "Heinäniemi"].map(
    (station) => service.world.stations.find((s) => s.displayName === station)!.id,
  );
  const given = {
    name,
    connectionId: users.connections()[0]!.id,
    stationIds,
    variables: ["ztd", "pwv"],
    intervalSeconds: null,
    raw: false,
    resampled: false,
    range: FIXED,
    format: "csv",
    heightReference: "WGS84_ELLIPSOID",
    template: "{name}_{connection}_{start}_{interval}.{ext}",
    ...change,
  } as const;
  const saved = savedExportsIn(users).save([given]);
  users.close();
  if (!saved.ok) throw new Error(saved.error.message);
}

const out = join(home.folder, "out");
mkdirSync(out);

describe("repeated exports and file name templates", () => {
  it("download missing data, write the same bytes as export, and report in one line", async () => {
    save("Day of two");
    const ended = await home.run(["export", "--repeat", "Day of two", "--fetch", "--out", "out"]);
    const path = join(out, "Day-of-two_trial_2026-10-05_native.csv");
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/^Day of two: 5,\d{3} rows, \d+ kB, 2026-10-05.* → 2026-10-06.*: .*native\.csv\n$/);
    expect(readdirSync(out).toSorted()).toEqual([path, `${path}.json`].map((p) => p.slice(out.length + 1)));
    expect(await home.run([...BY_HAND, "--out", "by-hand.csv"])).toMatchObject({ code: 0, stderr: "" });
    const [repeated, byHand] = [path, join(home.folder, "by-hand.csv")].map((p) => readFileSync(p));
    expect(repeated!.equals(byHand!)).toBe(true);
  });

  it("replace an existing file only with --force, and send no request otherwise", async () => {
    const path = join(out, "Day-of-two_trial_2026-10-05_native.csv");
    writeFileSync(path, "mine");
    service.resetStats();
    const repeat = ["export", "--repeat", "Day of two", "--fetch", "--out", "out"];
    const refused = await home.run(repeat);
    expect(refused).toMatchObject({
      code: 6,
      stdout: "",
      stderr: expect.stringMatching(/native\.csv exists.*--force/),
    });
    expect([readFileSync(path, "utf8"), service.stats.requests]).toEqual(["mine", 0]);
    const document = await home.json([...repeat, "--force"]);
    expect(document).toMatchObject({ name: "Day of two", connection: "trial", files: [{ path }] });
    expect(readFileSync(path, "utf8").slice(0, 10)).toBe("station_id");
    // All files of the export count: parts, satellites and descriptions, in any letter case.
    for (const other of [
      "DAY-of-two_trial_2026-10-05_1h-stations.csv",
      "day-of-two_trial_2026-10-05_1h-satellites.csv.json",
    ]) {
      save("Day of two", { intervalSeconds: 3_600, resampled: true });
      writeFileSync(join(out, other), "");
      expect(await home.run(repeat)).toMatchObject({ code: 6, stderr: expect.stringContaining(other) });
      rmSync(join(out, other));
    }
  });

  it("draw the figure beside the file, and never replace another file", async () => {
    save("With figure", { figure: true, template: "{name}.{ext}" });
    const repeat = ["export", "--repeat", "With figure", "--out", "out"];
    const document = await home.json<{ figure: { path: string } }>(repeat);
    const path = join(out, "With-figure.pdf");
    expect(document.figure.path).toBe(path);
    expect(readFileSync(path).subarray(0, 5).toString()).toBe("%PDF-");
    for (const name of ["With-figure.csv", "With-figure.csv.json"]) rmSync(join(out, name));
    writeFileSync(path, "mine");
    expect(await home.run(repeat)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("With-figure.pdf exists"),
    });
    expect([readFileSync(path, "utf8"), existsSync(join(out, "With-figure.csv"))]).toEqual(["mine", false]);
  });

  it("report that a figure could not be drawn, and keep the file", async () => {
    save("Satellites", { figure: true, variables: ["snr"], template: "{name}.{ext}" });
    const ended = await home.run(["export", "--repeat", "Satellites", "--out", "out"]);
    expect(ended).toMatchObject({
      // The satellites are not downloaded.
      code: 3,
      stderr: expect.stringContaining("The figure was not saved: A figure shows variables with one value per epoch"),
    });
    expect(readdirSync(out).filter((name) => /^Satellites.*\.csv$/.test(name))).toHaveLength(1);
  });

  it("resolve a relative range at the current time, and report missing data without --fetch", async () => {
    save("Yesterday", { range: { kind: "relative", period: "yesterday" }, template: "{name} {start}" });
    const ended = await home.run(["export", "--repeat", "Yesterday"]);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining("export --repeat Yesterday --fetch") });
    expect(ended.stdout).toContain("2 stations without a row");
    // The date may change while it runs.
    const before = yesterday();
    const fetched = await home.json<Fetched>("export --repeat Yesterday --fetch --force --allow-incomplete".split(" "));
    expect([before, yesterday()].map((name) => join(home.folder, name))).toContain(fetched.files[0]?.path);
    expect(fetched.rows).toBeGreaterThan(2_000);
  });

  it("write nothing if the key is rejected, and name a withheld station", async () => {
    const [kept] = service.world.stations.filter((s) => s.displayName === "Torsvika");
    save("Other day", { range: { kind: "fixed", range: { startMs: DAY_START_MS - DAY_MS, endMs: DAY_START_MS } } });
    service.setOrganization("demo", { withheldStationIds: [kept!.id] });
    const partly = await home.run(["export", "--repeat", "Other day", "--fetch", "--out", "out"]);
    service.setOrganization("demo", { withheldStationIds: [] });
    expect(partly).toMatchObject({ code: 3, stderr: expect.stringMatching(/“Torsvika” \(forbidden: /) });
    expect(partly.stdout.trimEnd().split("\n")).toHaveLength(1);

    save("Third day", {
      range: { kind: "fixed", range: { startMs: DAY_START_MS - 9 * DAY_MS, endMs: DAY_START_MS - 8 * DAY_MS } },
    });
    const before = readdirSync(out);
    service.setOrganization("demo", { key: "other-key" });
    const repeat = ["export", "--repeat", "Third day", "--fetch", "--out", "out"];
    expect(await home.run(repeat)).toMatchObject({
      code: 4,
      stdout: "",
      stderr: expect.stringContaining("Nothing was written"),
    });
    service.setOrganization("demo", { key: "demo-key" });
    expect(readdirSync(out)).toEqual(before);
    expect(await home.run([...repeat, "--out", "nowhere"])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("nowhere"),
    });
  });

  it("write the other stations if the service removed one, and name it", async () => {
    const [kept, gone] = ["Torsvika", "Kallio"].map(
      (station) => service.world.stations.find((s) => s.displayName === station)!.id,
    );
    save("One removed", { stationIds: [kept!, gone!], figure: true, template: "{name} {stations}.{ext}" });
    service.setOrganization("demo", { withheldStationIds: [gone!] });
    await home.run(["stations", "--refresh"]);
    for (const fetch of [["--fetch"], []]) {
      const repeat = ["export", "--repeat", "One removed", ...fetch, "--out", "out", "--force"];
      const ended = await home.run(repeat);
      const text = ended.stderr.replaceAll(/\s+/g, " ");
      expect([ended.code, text]).toEqual([3, expect.stringContaining(`without values in the file: ${gone}`)]);
      expect(text).not.toContain("withheld some of the data; the description");
    }
    const names = readdirSync(out).filter((name) => name.startsWith("One removed"));
    expect(names).toEqual(["csv", "csv.json", "pdf"].map((ending) => `One removed Torsvika.${ending}`));
    expect(readFileSync(join(out, names[1]!), "utf8")).toContain(`"stations_not_in_catalogue": [\n    "${gone}"`);

    save("All removed", { stationIds: [gone!] });
    const none = await home.run(["export", "--repeat", "All removed", "--out", "out"]);
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("None of the stations is in the catalogue"),
    });
    service.setOrganization("demo", { withheldStationIds: [] });
    await home.run(["stations", "--refresh"]);
    await home.run(["exports", "remove", "One removed"]);
    await home.run(["exports", "remove", "All removed"]);
  });

  it("name one file per station by a template, without replacing any", async () => {
    const named = [...BY_HAND, "--template", "{stations}_{variables}_{start}.csv", "--out", "each"];
    mkdirSync(join(home.folder, "each"));
    const { exports } = await home.json<{ exports: { rows: number }[] }>([...named, "--per-station"]);
    expect(exports).toHaveLength(2);
    expect(readdirSync(join(home.folder, "each")).filter((f) => f.endsWith(".csv"))).toEqual([
      "Heinäniemi_ztd-pwv_2026-10-05.csv",
      "Torsvika_ztd-pwv_2026-10-05.csv",
    ]);
    expect(await home.run([...named, "--per-station"])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("--force"),
    });
    expect(await home.run(named)).toMatchObject({ code: 0, stdout: expect.stringContaining("2-stations_ztd-pwv") });
  });

  it.each([
    [[...BY_HAND, "--template", "{station}.csv"], /no field \{station\}/],
    [[...BY_HAND, "--template", "{stations}.{ext}"], /--format/],
    [[...BY_HAND, "--template", "../{stations}.csv"], /not a folder/],
    [[...BY_HAND, "--out", "x.csv", "--per-station"], /--template/],
    [["export", "--day", "2026-10-05", "--out", "x.csv"], /Name the stations/],
    [["export", "--repeat", "Nothing"], /no saved export “Nothing”.*“Day of two”/],
    [["export", "Torsvika", "--repeat", "Yesterday"], /--repeat does not accept stations/],
    [["export", "--repeat", "Yesterday", "--vars", "ztd"], /--repeat does not accept --vars/],
    [["export", "--repeat", "Yesterday", "--connection", "trial"], /--repeat does not accept --connection/],
    [["exports", "remove", "Nothing"], /no saved export/],
  ])("exit with 2: %j", async (args, message) => {
    expect(await home.run(args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
  });

  it("are listed and removed, without the key in any file", async () => {
    const text = await home.run(["exports"]);
    expect(text.stdout).toMatch(/Yesterday +trial +2 +ztd,pwv +Yesterday +csv/);
    expect(await home.run(["exports", "remove", "Yesterday"])).toMatchObject({
      code: 0,
      stdout: "Removed “Yesterday”.\n",
    });
    const { exports } = await home.json<{ exports: { name: string }[] }>(["exports"]);
    expect(exports.map((e) => e.name)).toEqual(["Day of two", "Other day", "Satellites", "Third day", "With figure"]);
    expect(existsSync(join(out, "Day-of-two_trial_2026-10-05_native.csv"))).toBe(true);
    for (const file of readdirSync(out)) expect(readFileSync(join(out, file), "utf8")).not.toContain("demo-key");
  });

  it("exit with 5 and write nothing if the service is unreachable, unless all data is cached", async () => {
    const range = { startMs: DAY_START_MS - 20 * DAY_MS, endMs: DAY_START_MS - 19 * DAY_MS };
    save("Late", { range: { kind: "fixed", range } });
    save("Cached");
    await service.close();
    const gone = await home.run(["export", "--repeat", "Late", "--fetch", "--out", "out", "--wait-for-service", "1s"]);
    expect(gone).toMatchObject({ code: 5, stdout: "", stderr: expect.stringContaining("Nothing was written") });
    expect(readdirSync(out).filter((f) => f.startsWith("Late"))).toEqual([]);
    expect(await home.run(["export", "--repeat", "Cached", "--fetch", "--out", "out"])).toMatchObject({
      code: 0,
      stderr: "",
    });
  });
});
