import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expectLine } from "./jsonForms.ts";
import { openTrial } from "./trial.ts";

it("nearest sends no request for a station that is no longer listed, and reports it", async () => {
  const { service, home } = await openTrial(["fetch", "Torsvika", "--day", "2026-10-05"]);
  const all = (await home.json<{ stations: { id: string; display_name: string }[] }>(["stations"])).stations;
  const gone = all.find((s) => s.display_name === "Torsvika")!;
  const listed = all.find((s) => s.display_name !== "Torsvika")!;
  service.setOrganization("demo", { withheldStationIds: [gone.id] });
  await home.json(["stations", "--refresh"]);

  const moment = ["--time", "2026-10-05T12:00:00Z"];
  const alone = await home.run(["nearest", "Torsvika", ...moment]);
  expect(alone).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/No longer listed.*Torsvika/) });
  const beside = await home.run(["nearest", "Torsvika", listed.id, ...moment]);
  expect(beside).toMatchObject({ code: 0, stderr: expect.stringMatching(/No longer listed.*Torsvika/) });
  expect(beside.stdout).not.toContain("Torsvika");
});

it("nearest has the observations of the other stations if the service refuses one of the list", async () => {
  const { service, home } = await openTrial(["stations"]);
  const [gone, other] = ["Torsvika", "Kallio"].map((name) =>
    service.world.stations.find((s) => s.displayName === name)!,
  );
  service.setOrganization("demo", { withheldStationIds: [gone!.id] });

  const moment = ["--time", "2026-10-05T12:00:00Z", "--vars", "ztd"];
  const both = await home.json(["nearest", "Torsvika", "Kallio", ...moment]);
  expect(both).toMatchObject({
    rows: [{ station_id: other!.id }],
    missing: [
      {
        station_id: gone!.id,
        cause: "failed",
        reason: expect.stringContaining("for all stations of the key lacks this one"),
      },
    ],
    remarks: [],
  });
  const alone = await home.run(["nearest", "Torsvika", ...moment]);
  expect(alone).toMatchObject({ stdout: "", stderr: expect.stringContaining("(403)") });
});

it("an export of all stations names those with cached data that are no longer listed, and their ids include them", async () => {
  const { service, home } = await openTrial(["fetch", "Torsvika", "Kallio", "--day", "2026-10-05"]);
  const { stations } = await home.json<{ stations: { id: string; display_name: string }[] }>(["stations"]);
  const gone = stations.find((s) => s.display_name === "Torsvika")!;
  const exported = ["--day", "2026-10-05", "--vars", "pwv", "--format", "csv", "--out", "-"];
  expect((await home.run(["export", "all", ...exported])).stderr).not.toContain("left out");

  service.setOrganization("demo", { withheldStationIds: [gone.id] });
  await home.json(["stations", "--refresh"]);
  const listed = await home.run(["stations", "--search", "torsvika"]);
  expect(listed.stdout).not.toContain(gone.id);
  expect(listed.stderr).toContain(`Torsvika (${gone.id}) is no longer listed`);
  expect(await home.json(["stations", "--search", "torsvika"])).toMatchObject({
    stations: [],
    withdrawn: [{ id: gone.id }],
  });
  expect(await home.json(["stations", "--search", "kallio"])).toMatchObject({ withdrawn: [] });

  const all = await home.run(["export", "all", ...exported]);
  expect(all.stderr).toContain(`left out: Torsvika (${gone.id})`);
  expect(all.stdout).not.toContain(gone.id);
  const named = await home.run(["export", "all", gone.id, ...exported]);
  expect(named.stderr).not.toContain("left out");
  expect(named.stdout).toContain(gone.id);
});

const exportOf = (...stations: string[]) => ["export", ...stations, "--day", "2026-10-05", "--vars", "ztd"];

it("an export writes the other stations if the service removed one of which nothing is cached, and names it", async () => {
  const { service, home } = await openTrial();
  const { stations } = await home.json<{ stations: { id: string; display_name: string }[] }>(["stations"]);
  const { id: gone } = stations.find((s) => s.display_name === "Kallio")!;
  service.setOrganization("demo", { withheldStationIds: [gone] });
  await home.json(["stations", "--refresh"]);

  for (const form of [
    ["--out", "a.csv"],
    ["--template", "{stations}.csv", "--per-station"],
  ]) {
    const ended = await home.run([...exportOf(gone.toUpperCase(), "Torsvika"), "--fetch", ...form]);
    expect(ended).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(new RegExp(`not in the catalogue.*${gone}`)),
    });
  }
  const { stations_not_in_catalogue } = JSON.parse(readFileSync(join(home.folder, "a.csv.json"), "utf8"));
  expect(stations_not_in_catalogue).toEqual([gone]);
  const { stderr } = await home.run([...exportOf(gone, "Torsvika"), "--out", "c.csv", "--json", "--quiet"]);
  const lines = stderr
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  for (const line of lines) expectLine(line);
  expect(lines.at(-1)).toMatchObject({ event: "incomplete", exit_code: 3 });
  const alone = await home.run([...exportOf(gone), "--out", "b.csv"]);
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining(`There is no station “${gone}”`) });
});

it("plan counts what fetch requests: a station that was refused only with --recheck-gaps", async () => {
  const { service, home } = await openTrial(["stations"]);
  const { id: gone } = service.world.stations.find((s) => s.displayName === "Torsvika")!;
  service.setOrganization("demo", { withheldStationIds: [gone] });
  const both = ["Kallio", gone, "--day", "2026-10-05", "--vars", "ztd"];
  await home.json(["fetch", ...both], 3);
  service.setOrganization("demo", { withheldStationIds: [] });
  await home.json(["stations", "--refresh"]);
  service.resetStats();

  const plan = await home.json(["plan", ...both]);
  expect(plan).toMatchObject({ points_to_fetch: 0, forbidden_station_ids: [gone], missing: [] });
  expect((await home.run(["plan", ...both])).stdout).toMatch(/1 station within a day: “fetch --recheck-gaps”/);
  const fetched = await home.run(["fetch", ...both]);
  expect(fetched).toMatchObject({ code: 3, stderr: expect.stringContaining("“fetch --recheck-gaps”") });
  expect(service.stats.log.filter(({ endpoint }) => endpoint === "query")).toEqual([]);
  await home.json(["fetch", ...both, "--recheck-gaps"]);
  expect(await home.json(["plan", ...both])).toMatchObject({ points_to_fetch: 0, forbidden_station_ids: [] });
});
