import { expect, it } from "vitest";
import { startService } from "../../src/service/index.ts";
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
