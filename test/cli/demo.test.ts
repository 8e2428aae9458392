import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeHome } from "./program.ts";

interface DemoDocument {
  readonly progress: { readonly splits: number; readonly rows: number };
  readonly stations: readonly { readonly states: readonly string[] }[];
}

function thisMonth(): string {
  return new Date().toISOString().slice(0, 7);
}

describe("the demo and the service", () => {
  const home = makeHome();

  it(
    "demo downloads a month of 12 stations to files with split requests, and sends no request when run again",
    { timeout: 90_000 },
    async () => {
      const begunIn = thisMonth();
      const first = await home.json<DemoDocument>(["demo"]);
      expect(first).toMatchObject({ job: { state: "finished" }, stations: { length: 12 } });
      const { progress } = first;
      expect(progress.splits).toBeGreaterThan(0);
      expect(progress.rows).toBeGreaterThan(700_000);
      const states = first.stations.map((s) => s.states.join());
      // In the first hours of a month, the last hours of the previous month are not final yet.
      expect(states.filter((s) => /^(stale,)?ok$/.test(s)).length).toBeGreaterThanOrEqual(10);
      expect(states.at(-1)).toBe("empty");
      const files = readdirSync(join(home.folder, "demo-output"));
      expect(files.map((f) => f.replace(/\d{4}-\d\d/, "M")).toSorted()).toEqual([
        "zenith-M.csv",
        "zenith-M.csv.json",
        "zenith-M.nc",
        "zenith-M.nc.json",
      ]);
      // If the month changed during the test, the new previous month is downloaded first.
      if (thisMonth() !== begunIn) await home.run(["demo"]);
      const again = await home.run(["demo"]);
      expect(again).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(": 0 requests sent."),
      });
      expect(again.stdout).toContain("Stations without data: “Mast 012 Tyhjäkallio”");
    },
  );

  it("is named once among the connections", async () => {
    const { stderr } = await home.run(["stations", "--connection", "nowhere"]);
    expect(stderr).toContain("There is no connection “nowhere”. Available: “demo”.");
  });

  it("demo writes a NetCDF file that ncdump reads", (ctx) => {
    const folder = join(home.folder, "demo-output");
    const file = readdirSync(folder).find((f) => f.endsWith(".nc"))!;
    const dump = spawnSync("ncdump", ["-h", join(folder, file)], { encoding: "utf8" });
    if (dump.error) return ctx.skip("ncdump is not installed");
    expect(dump.stdout).toContain("station = 12");
    expect(dump.stdout).toMatch(/:title = "Simulated data: Zenith total delay/);
    expect(dump.stdout).toMatch(/:source = "simulation of .*, no observations; Zenith Desk demo"/);
    expect(dump.stdout).toMatch(/:history = ".* from simulated measurements of Zenith Desk demo"/);
    expect(dump.stdout).toContain(':service = "Zenith Desk demo"');
    expect(dump.stdout).not.toContain("127.0.0.1");
  });

  it("service runs until a signal, and prints the example keys", async () => {
    const ended = await home.run(["service", "--port", "0", "--json"], {
      onStderr(text, child) {
        if (text.includes("Ctrl+C") && !child.killed) child.kill("SIGTERM");
      },
    });
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      organizations: expect.arrayContaining([expect.objectContaining({ name: "demo", example_key: "demo-key" })]),
    });
  });
});
