import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, describe, expect, it } from "vitest";
import { openService } from "../support/openService.ts";
import { startDateProxy } from "../support/dateProxy.ts";
import { KEY, openHome } from "./trial.ts";
import { itNightly } from "../support/needs.ts";
import { gateShare } from "../support/endurance.ts";

const YEARS_MS = 3_653 * 86_400_000;

const service = await openService();
const proxy = await startDateProxy(service.url);
afterAll(() => proxy.close());
const home = await openHome(proxy, ["stations"]);

interface Listed {
  readonly stations: readonly {
    readonly id: string;
    readonly display_name: string;
    readonly latitude_deg: number | null;
    readonly longitude_deg: number | null;
    readonly network_code: string;
    readonly network_id: string;
    readonly data_last_updated: string | null;
  }[];
}

const list = (...words: string[]) => home.json<Listed>(["stations", "--offline", ...words]);

describe("stations", () => {
  it("lists stations in a box, including its edges", async () => {
    const { stations: all } = await list();
    const { stations } = await list("--bbox", "59,19,71,32");
    expect(stations.length).toBeGreaterThan(0);
    expect(stations.map((s) => s.id)).toEqual(
      all
        .filter(
          (s) => s.latitude_deg! >= 59 && s.latitude_deg! <= 71 && s.longitude_deg! >= 19 && s.longitude_deg! <= 32,
        )
        .map((s) => s.id),
    );
    const [one] = stations;
    const edge = `${one!.latitude_deg},${one!.longitude_deg},${one!.latitude_deg},${one!.longitude_deg}`;
    expect((await list("--bbox", edge)).stations.map((s) => s.id)).toContain(one!.id);
  });

  it.each(["1,2,3", "a,b,c,d", "60,0,50,1", "0,0,91,1", ""])("rejects an invalid box: %s", async (box) => {
    expect(await home.run(["stations", "--offline", "--bbox", box])).toMatchObject({ code: 2, stdout: "" });
  });

  it("sorts, with missing values last", async () => {
    const { stations } = await list("--sort", "data_last_updated", "--order", "desc");
    const times = stations.map((s) => (s.data_last_updated === null ? -Infinity : Date.parse(s.data_last_updated)));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const { stations: byNetwork } = await list("--sort", "network");
    const codes = byNetwork.map((s) => s.network_code);
    expect(codes).toEqual(codes.toSorted((a, b) => a.localeCompare(b, "en", { sensitivity: "base" })));
  });

  it("accepts networks by code and by id, and rejects an unknown one", async () => {
    const { stations } = await list("--network", "norda");
    expect(new Set(stations.map((s) => s.network_code))).toEqual(new Set(["NORDA"]));
    expect((await list("--network", stations[0]!.network_id)).stations).toEqual(stations);
    const wrong = await home.run(["stations", "--offline", "--network", "NORDX"]);
    expect(wrong).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/no network “NORDX”.*“NORDA”/) });
    const inWords = await home.run(["plan", "network:NORDX", "--day", "2026-10-05"]);
    expect(inWords).toMatchObject({ code: 2, stderr: expect.stringMatching(/no network “NORDX”.*“NORDA”/) });
  });

  it("shows ids and positions in the table", async () => {
    const { stations } = await list();
    const { stdout } = await home.run(["stations", "--offline"]);
    const placed = stations.find((s) => s.latitude_deg !== null)!;
    expect(stdout).toContain(placed.id);
    expect(stdout).toContain(placed.latitude_deg!.toFixed(4));
  });
});

describe("station", () => {
  it("shows all fields, requested or cached", async () => {
    const [first] = (await list()).stations;
    const asked = await home.json<{ station: object; network: object }>(["station", first!.id]);
    expect(asked.station).toEqual(expect.objectContaining({ id: first!.id, display_name: first!.display_name }));
    expect(asked.network).toEqual(expect.objectContaining({ is_owner: expect.any(Boolean) }));
    const kept = await home.json<{ station: object }>(["station", first!.display_name, "--offline"]);
    expect(Object.keys(kept.station).toSorted()).toEqual(Object.keys(asked.station).toSorted());
    expect((await home.run(["station", first!.id])).stdout).toMatch(/network visibility/);
  });

  it("reports the service's message for an unknown id", async () => {
    const unknown = await home.run(["station", "00000000-0000-4000-8000-000000000000"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(/no station “00000000-0000-4000-8000-000000000000”.*404.*It says: “.+”/s);
  });
});

describe("messages", () => {
  it("never call a range in the future cached or complete", async () => {
    const future = ["--from", "2099-01-01", "--to", "2099-01-02"];
    const fetched = await home.run(["fetch", "Torsvika", ...future]);
    expect(fetched.stdout).toContain("is in the future: data can exist from 2099-01-01T00:00:00Z on");
    const gaps = await home.run(["gaps", "Torsvika", ...future]);
    expect(gaps.stdout).toContain("is in the future");
    expect(fetched.stdout + gaps.stdout).not.toMatch(/Everything was cached|Nothing is missing/);
    expect((await home.run(["plan", "Torsvika", ...future])).stdout).toContain("is in the future");
  });

  it("report that a range was extended to whole intervals", async () => {
    const words = ["resample", "Torsvika", "--from", "2026-10-05T06:10:00Z", "--to", "2026-10-05T08:20:00Z"];
    const { stderr } = await home.run([...words, "--interval", "1h"]);
    expect(stderr).toContain("was extended to 2026-10-05T06:00:00Z → 2026-10-05T09:00:00Z");
    // For reading, each variable has the decimals of its precision.
    const hours = ["--from", "2026-10-05T06:00:00Z", "--to", "2026-10-05T09:00:00Z"];
    await home.json(["fetch", "Torsvika", ...hours]);
    const shown = await home.run([
      "resample",
      "Torsvika",
      ...hours,
      "--interval",
      "1h",
      "--vars",
      "ztd,ztd_sigma",
      "--as",
      "table",
    ]);
    expect(shown.stdout).toMatch(/^2026-10-05T06:00:00Z +\d+\.\d{2} +\d+\.\d{3}$/m);
  });

  it("include the satellites in values of satellites", async () => {
    const day = ["--from", "2026-10-05T06:00:00Z", "--to", "2026-10-05T07:00:00Z"];
    await home.json(["fetch", "Torsvika", ...day, "--vars", "el"]);
    const resampled = await home.run(["resample", "Torsvika", ...day, "--vars", "el", "--interval", "15m"]);
    expect(resampled.stdout.split("\n")[0]).toBe("station_id,time,el,prn");
    const nearest = ["nearest", "Torsvika", "--time", "2026-10-05T06:00:00Z", "--vars", "el", "--within", "1h"];
    expect((await home.run(nearest)).stdout).toMatch(/\bprn\b/);
  });

  it.each(
    gateShare([
      ["stations", ["stations", "--refresh"]],
      ["nearest", ["nearest", "Torsvika", "--time", "2026-10-05T06:00:00Z"]],
      ["fetch", ["fetch", "Torsvika", "--day", "2026-10-07"]],
    ] as const),
  )("of %s report that the service asks to wait", async (_, words) => {
    const endpoints =
      words[0] === "stations" ? ["stations" as const] : ["stations" as const, "nearest" as const, "query" as const];
    service.setFaults([{ fault: { kind: "status", status: 429, retryAfter: "4" }, endpoints, next: 1 }]);
    const { stderr, code } = await home.run([...words]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/service asks to wait until \d\d:\d\d:\d\d UTC/i);
  });
});

describe("a difference between the clocks", () => {
  it("is reported once on stderr, and no range is called complete", async () => {
    proxy.date = (sent) => new Date(Date.parse(sent) - YEARS_MS).toUTCString();
    const wrong = await home.run(["fetch", "Torsvika", "--last", "2h"]);
    proxy.date = (sent) => sent;
    expect(wrong.code).toBe(0);
    expect(wrong.stdout).not.toMatch(/Everything was cached|is in the future/);
    expect(wrong.stderr.match(/about 10 years ahead of the clock of the service/g)).toHaveLength(1);
    const right = await home.run(["fetch", "Torsvika", "--last", "3h"]);
    expect(right.stderr).not.toContain("clock of the service");
    expect(right.stdout).toMatch(/^Fetched/);
  });
});

itNightly("says that it waits for an answer that takes long", async () => {
  const answering = await openService();
  await home.json(["connect", answering.url, "--name", "slow"], 0, { env: KEY });
  await answering.close();
  const silent = createServer();
  silent.listen(Number(new URL(answering.url).port), "127.0.0.1");
  await once(silent, "listening");
  const ended = await home.run(["stations", "--refresh", "--connection", "slow"], {
    onStderr: (soFar, child) => void (soFar.endsWith("(Ctrl+C stops)\n") && child.kill("SIGINT")),
  });
  silent.closeAllConnections();
  silent.close();
  expect(ended).toMatchObject({ code: 130, stderr: expect.stringContaining("has not answered completely yet") });
});
