import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openTrial } from "./trial.ts";

const { service, home } = await openTrial(["stations"]);

async function planned(words: readonly string[]): Promise<number> {
  const { stations } = await home.json<{ stations: number | object[] }>(["plan", ...words, "--day", "2026-10-05"]);
  return typeof stations === "number" ? stations : stations.length;
}

describe("stations on the command line", () => {
  it("come from a file, a pattern or a group, which the command line can change", async () => {
    writeFileSync(join(home.folder, "list.txt"), "# two stations\nKallio\n\n  Torsvika \r\n");
    expect(await planned(["@list.txt"])).toBe(2);
    expect((await home.run(["cache", "forget", "--stations", "@list.txt"])).code).toBe(0);
    const names = service.world.stations.map((s) => s.displayName).filter((name) => /^t.*a$/i.test(name));
    expect(names.length).toBeGreaterThan(0);
    expect(await planned(["t*a"])).toBe(names.length);
    expect((await home.run(["group", "add", "Two", "@list.txt"])).stdout).toBe("“Two” has 2 stations.\n");
    expect(await planned(["group:Two", "Kallio"])).toBe(2);
    expect((await home.run(["group"])).stdout).toMatch(/Two +2 +Kallio, Torsvika/);
    await home.run(["group", "remove", "Two", "Kallio"]);
    expect(await planned(["group:Two"])).toBe(1);
    expect((await home.run(["group", "remove", "Two"])).stdout).toBe("Removed “Two”.\n");
    expect((await home.run(["group"])).stdout).toBe("There is no group yet.\n");
  });

  it("of a group are named in every command though the service removed one of which nothing is cached", async () => {
    const gone = service.world.stations.find((s) => s.displayName === "Lumivaara")!.id;
    await home.json(["group", "add", "Left", "Kallio", "Lumivaara"]);
    service.setOrganization("demo", { withheldStationIds: [gone] });
    onTestFinished(() => service.setOrganization("demo", { withheldStationIds: [] }));
    await home.json(["stations", "--refresh"]);
    const range = ["--day", "2026-10-04", "--vars", "ztd"];
    const commands: [number, ...string[]][] = [
      [3, "watch", "group:Left", "--silent", "100d"],
      [3, "fetch", "group:Left", ...range],
      [0, "gaps", "group:Left", ...range],
      [0, "availability", "group:Left", ...range],
      [0, "nearest", "group:Left", "--time", "2026-10-04T12:00:00Z"],
      [3, "export", "group:Left", ...range, "--out", "left.csv"],
      [3, "resample", "group:Left", ...range, "--interval", "1h"],
      [3, "figure", "group:Left", ...range, "--out", "left.svg"],
    ];
    for (const [code, ...words] of commands) {
      const { stdout, stderr, ...ended } = await home.run(words);
      expect([words[0], ended.code, `${stdout}${stderr}`]).toEqual([words[0], code, expect.stringContaining(gone)]);
    }
    expect(await planned(["group:Left"])).toBe(2);
    expect((await home.run(["group", "remove", "Left", gone])).stdout).toBe("“Left” has 1 station.\n");
  });

  it("that left the list are named by watch, with their last known measurement", async () => {
    const gone = service.world.stations.find((s) => s.displayName === "Kallio")!.id;
    await home.json(["fetch", "Kallio", "--day", "2026-10-04", "--vars", "ztd"]);
    service.setOrganization("demo", { withheldStationIds: [gone] });
    onTestFinished(() => service.setOrganization("demo", { withheldStationIds: [] }));
    const all = await home.run(["watch", "all", "--silent", "1000d"]);
    expect(all.stderr).toContain(`left out: Kallio (${gone})`);
    const one = await home.run(["watch", gone, "--silent", "1s"]);
    expect([one.code, one.stdout]).toEqual([3, expect.stringMatching(/Kallio.* 20\d\d-\d\d-\d\d \d\d:\d\d/)]);
    service.setOrganization("demo", { withheldStationIds: [] });
    await home.json(["stations", "--refresh"]);
  });

  it("are suggested for a word with wrong letters, and a list says what is wrong with it", async () => {
    writeFileSync(join(home.folder, "empty.txt"), "# nothing\n");
    const wrong: [string, number, RegExp][] = [
      ["Kalio", 2, /no station “Kalio”.* Did you mean “Kallio”\?/],
      ["Torsvica", 2, /Did you mean “Torsvika”\?/],
      ["Qqqqqq*", 2, /No station of this connection has a name like “Qqqqqq\*”\./],
      ["@empty.txt", 2, /There is no station in empty\.txt\./],
      ["@gone.txt", 6, /list of stations cannot be read\. gone\.txt does not exist/],
    ];
    for (const [word, code, message] of wrong) {
      const ended = await home.run(["plan", word, "--day", "2026-10-05"]);
      expect([word, ended.code]).toEqual([word, code]);
      expect(ended.stderr).toMatch(message);
    }
  });

  it("are incomplete until they are downloaded, which is exit code 3 in every command that writes a file", async () => {
    const day = ["--day", "2026-10-05"];
    const empty = await home.json<{ incomplete: { not_downloaded: string[] } }>(
      ["export", "Kallio", ...day, "--out", "day.csv"],
      3,
    );
    expect(empty).toMatchObject({
      version: 1,
      incomplete: { not_downloaded: [expect.any(String)], may_still_arrive: [] },
    });
    const again = await home.run(["export", "Kallio", ...day, "--out", "day.csv", "--json"]);
    expect(again).toMatchObject({ code: 6, stdout: "" });
    expect(JSON.parse(again.stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
      event: "error",
      kind: "disk",
      message: expect.stringContaining("not replaced without --force"),
    });
    expect((await home.run(["figure", "Kallio", ...day, "--out", "day.svg"])).code).toBe(3);
    expect((await home.run(["figure", "Kallio", ...day, "--out", "day.svg"])).code).toBe(6);
    expect((await home.run(["resample", "Kallio", ...day, "--interval", "1h"])).code).toBe(3);
    expect((await home.run(["resample", "Kallio", ...day, "--interval", "1h", "--allow-incomplete"])).code).toBe(0);
    expect((await home.run(["fetch", "Kallio", ...day])).code).toBe(0);
    const whole = await home.json(["export", "Kallio", ...day, "--out", "day.csv", "--force"]);
    expect(whole).toMatchObject({ incomplete: null });
  });
});
