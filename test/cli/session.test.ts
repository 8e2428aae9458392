import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openUserStore } from "#main/store/index.ts";
import { type Home, makeHome } from "./program.ts";
import { openTrial } from "./trial.ts";

const { service, home: anna } = await openTrial(["fetch", "Torsvika", "Heinäniemi", "--day", "2026-10-05"]);
const otto = makeHome();
const { stations } = await anna.json<{ stations: { station_id: string; name: string }[] }>(["cache", "stations"]);
const users = openUserStore(join(anna.folder, "home", "user.db"));
const workspace = {
  stationIds: stations.filter((s) => s.name === "Torsvika").map((s) => s.station_id),
  slots: {},
  range: { startMs: Date.UTC(2026, 9, 5), endMs: Date.UTC(2026, 9, 6) },
  variables: ["ztd"],
  intervalSeconds: null,
  raw: false,
  resampled: false,
  showSigma: false,
  view: "series",
  panes: {},
};
const storm = { name: "Storm", connectionId: null, savedAtMs: 1, workspace };
users.changeNamed("view", { put: [{ id: "Storm", value: storm }] });
users.close();

const rows = (home: Home) =>
  readFileSync(join(home.folder, "t.csv"), "utf8")
    .split("\n")
    .filter((line) => !line.startsWith("#"));

it("a session file shares views and data, which are read on another computer without a key or requests", async () => {
  expect((await anna.run(["session", "views"])).stdout).toContain("Storm: 1 station");
  const saved = await anna.json<{ path: string }>(["session", "save", "storm", "--with-data", "--author", "Anna"]);
  expect(saved).toMatchObject({ path: join(anna.folder, "storm.zenith"), stations: 1, views: 1 });
  expect(readFileSync(saved.path).includes("demo-key")).toBe(false);
  expect((await anna.run(["session", "save", "storm", "--with-data"])).stderr).toContain("exists already");

  const opened = await otto.json<{ connection: string }>(["session", "open", saved.path]);
  expect(opened.connection).toMatch(/^From Anna’s file, \d{4}-\d\d-\d\d$/);
  expect(opened).toMatchObject({ views: ["Storm"] });
  const exported = await otto.run(["export", "Torsvika", "--day", "2026-10-05", "--out", "t.csv"]);
  expect([exported.code, exported.stderr]).toEqual([0, expect.any(String)]);
  await anna.run(["export", "Torsvika", "--day", "2026-10-05", "--out", "t.csv"]);
  expect(rows(otto)).toEqual(rows(anna));
  const before = service.stats.log.length;
  const refused = await otto.run(["fetch", "Torsvika", "--day", "2026-10-06"]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("contains data from a file")]);
  expect((await otto.run(["jobs"])).stdout).toContain("There are no downloads yet");
  expect(service.stats.log.length).toBe(before);
  const kept = await otto.run(["cache", "forget", "--all"]);
  expect([kept.code === 0, kept.stderr.includes("read-only")]).toEqual([false, true]);
});

it("session save shares data without a saved view; files that cannot be opened or written are reported", async () => {
  const words = ["session", "save", "kallio.zenith", "--stations", "Heinäniemi", "--no-satellites"];
  expect(await anna.json([...words, "--day", "2026-10-05"])).toMatchObject({ views: 1, stations: 1 });
  const nothing = await anna.run([...words, "--day", "2025-10-05", "--force"]);
  expect(nothing.code).not.toBe(0);
  expect(nothing.stderr).toContain("Fetch them first");
  writeFileSync(join(otto.folder, "bad.zenith"), "PK\u0003\u0004 and no more");
  const bad = await otto.run(["session", "open", "bad.zenith"]);
  expect(bad.code).not.toBe(0);
  expect(bad.stderr).toContain("bad.zenith: This file is damaged or incomplete. Ask for it again");
  // A file of another kind is unreadable, as for “open”; the command itself is right.
  for (const [name, text] of [
    ["notes.zenith", "Dear colleague"],
    ["newer.zenith", '{"kind":"zenith-views","version":99,"views":[]}'],
  ] as const) {
    writeFileSync(join(otto.folder, name), text);
    expect([name, (await otto.run(["session", "open", name])).code]).toEqual([name, 6]);
  }
  expect(existsSync(join(anna.folder, "home", "user.db"))).toBe(true);
});
