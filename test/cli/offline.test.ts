import { chmodSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { valueOf } from "../bridge/cases/case.ts";
import { mountReadOnly } from "./mounts.ts";
import { type Ended } from "./program.ts";
import { openTrial } from "./trial.ts";
import { describeUnless, WINDOWS_LACKS } from "../support/needs.ts";
import { pageBridge, webShell } from "../web/page.ts";

const DAY = ["--day", "2026-10-05"];
const KEY = { ZENITH_API_KEY: "demo-key" };

const { service, home } = await openTrial(["fetch", "Torsvika", ...DAY]);

const fetchOther = (more: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  home.run(["fetch", "Torsvika", "--day", "2026-10-06", ...more], { env });

await home.run(["export", "Torsvika", ...DAY, "--out", "before.csv"]);
const expected = readFileSync(join(home.folder, "before.csv"));

async function demandOffline(
  name: string,
  more: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const words of [
    ["connect"],
    ["stations"],
    ["stations", "--refresh"],
    ["gaps", "Torsvika", ...DAY],
    ["session", "save", `${name}.zenith`, "--stations", "Torsvika", ...DAY],
  ])
    expect([words, await home.run([...words, ...more], { env })]).toMatchObject([words, { code: 0 }]);
  expect(await home.run(["export", "Torsvika", ...DAY, "--out", `${name}.csv`, ...more], { env })).toMatchObject({
    code: 0,
  });
  expect(readFileSync(join(home.folder, `${name}.csv`))).toEqual(expected);
}

describeUnless(WINDOWS_LACKS, "cached data", () => {
  it("is available with an unsafe key file; only requests fail, with the reason", async () => {
    const keys = join(home.folder, "home", "keys");
    const key = join(keys, readdirSync(keys)[0]!);
    chmodSync(key, 0o644);
    await demandOffline("loose");
    expect(await fetchOther()).toMatchObject({ code: 4, stderr: expect.stringContaining("chmod 600") });
    chmodSync(key, 0o600);
    const loose = ["--key-file", "before.csv"];
    expect(await home.run(["gaps", "Torsvika", ...DAY, ...loose])).toMatchObject({ code: 0 });
    expect(await fetchOther(loose)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("chmod 600"),
    });
  });

  it("is available on a read-only disk; only commands that write fail, with the reason", async (context) => {
    const folder = join(home.folder, "home");
    const unmount = mountReadOnly(folder);
    if (unmount === null) return context.skip("this system does not let the tests mount a read-only folder");
    const temporary = join(home.folder, "tmp");
    mkdirSync(temporary);
    const env = { ...KEY, TMPDIR: temporary };
    try {
      await demandOffline("disk", [], env);
      for (const words of [
        ["connect", "--remove", "trial"],
        ["cache", "pin", "Torsvika"],
        ["cache", "max-size", "1GB"],
        ["group", "add", "Two", "Torsvika"],
        ["connect", service.url, "--name", "second"],
      ])
        expect([words, await home.run(words, { env })]).toMatchObject([
          words,
          { code: 6, stderr: expect.stringMatching(/read-only|may not be written/) },
        ]);
      const { path } = await home.json<{ path: string }>(["cache", "path"], 0, { env });
      expect(dirname(path)).toBe(folder);
      expect(await home.run(["cache", "compact"], { env })).toMatchObject({
        code: 6,
        stderr: expect.stringContaining(`${path}: ${folder} or its disk is read-only`),
      });
      service.resetStats();
      expect(await fetchOther([], env)).toMatchObject({
        code: 6,
        stderr: expect.stringContaining("nothing can be fetched"),
      });
      expect(service.stats.requests).toBe(0);
    } finally {
      unmount();
    }
    // Nothing was copied.
    expect(readdirSync(temporary)).toEqual([]);
    expect((await home.json(["connect"]))["connections"]).toHaveLength(1);
  });

  it("is not fetched by a schedule on a read-only disk, which tells of it; its ranges are listed", async (context) => {
    const folder = join(home.folder, "home");
    const told = join(home.folder, "told");
    const tell = `echo "$ZENITH_SCHEDULE $ZENITH_STATE $ZENITH_SUMMARY" >> "${told}"`;
    const since = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);
    const when = ["--every", "1m", "--from", "yesterday", "--since", since];
    await home.json(["schedule", "add", "Live", "Torsvika", ...when, "--on-failure", tell]);
    const unmount = mountReadOnly(folder);
    if (unmount === null) return context.skip("this system does not let the tests mount a read-only folder");
    onTestFinished(unmount);
    expect(await home.run(["schedule", "run", "Live", "--due"], { env: KEY })).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("read-only"),
    });
    expect(readFileSync(told, "utf8")).toMatch(/^Live failed .*read-only/);
    expect(await home.json(["schedule", "ledger", "Live"], 0, { env: KEY })).toMatchObject({
      ranges: expect.arrayContaining([expect.objectContaining({ state: "due" })]),
    });
    expect(await home.run(["schedule"], { env: KEY })).toMatchObject({ code: 0 });
  });

  it("is shown in a window on a read-only disk", async (context) => {
    const folder = join(home.folder, "home");
    const { station } = await home.json<{ station: { id: string } }>(["station", "Torsvika"], 0, { env: KEY });
    const unmount = mountReadOnly(folder);
    if (unmount === null) return context.skip("this system does not let the tests mount a read-only folder");
    onTestFinished(unmount);
    const test = await webShell({ dataFolder: folder });
    const bridge = pageBridge(test, await test.secret());
    const [connection] = valueOf(await bridge.connections.list({}));
    const connectionId = connection!.id;
    valueOf(await bridge.connections.open({ connectionId }));
    const range = { startMs: Date.UTC(2026, 9, 5), endMs: Date.UTC(2026, 9, 6) };
    const mode = { intervalSeconds: null, raw: false, resampled: false };
    const request = { connectionId, stationIds: [station.id], variables: ["ztd" as const], range, mode };
    const [window] = valueOf(await bridge.series.window({ ...request, columns: 100, mostRows: 10_000 }));
    expect(window).toMatchObject({ kind: "rows" });
    expect(window!.kind === "rows" && window!.timesMs.length).toBeGreaterThan(1_000);
  });
});
