import { expect, it } from "vitest";
import { startService } from "#service/index.ts";
import { makeHome } from "./program.ts";

it("nearest sends no request for a station that is no longer listed, and reports it", async () => {
  const service = await startService();
  const home = makeHome();
  try {
    await home.json(["connect", service.url, "--name", "trial"], 0, { env: { ZENITH_API_KEY: "demo-key" } });
    await home.json(["fetch", "Torsvika", "--day", "2026-10-05"]);
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
  } finally {
    await service.close();
    home.remove();
  }
});

it("an export of all stations names those with cached data that are no longer listed, and their ids include them", async () => {
  const service = await startService();
  const home = makeHome();
  try {
    await home.json(["connect", service.url, "--name", "trial"], 0, { env: { ZENITH_API_KEY: "demo-key" } });
    await home.json(["fetch", "Torsvika", "Kallio", "--day", "2026-10-05"]);
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
  } finally {
    await service.close();
    home.remove();
  }
});
