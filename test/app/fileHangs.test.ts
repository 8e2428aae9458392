import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { OpenedFile } from "#shared/file/opened.ts";
import { Events } from "#main/app/events.ts";
import { ColumnChoices } from "#main/app/files/columns.ts";
import { OpenFiles } from "#main/app/files/files.ts";
import { startChild } from "#main/app/files/guest/start.ts";
import { RecentFiles } from "#main/app/files/recent.ts";
import { valueOf } from "./window.ts";
import { scratchFolder } from "../support/folder.ts";

/** The same constants as in `hangingParser.ts`. */
const [ENDLESS_OFFSET, HUGE_OFFSET] = [1_313, 1_314];

const folder = scratchFolder();
const never = new AbortController().signal;
const events = new Events();
const settings = new Map<string, string>();
const users = {
  setting: (name: string) => settings.get(name) ?? null,
  putSetting: (name: string, value: string | null) => void settings.set(name, value ?? ""),
};
const recent = new RecentFiles(users, () => 0);
const files = new OpenFiles(events, recent, new ColumnChoices(users), {
  scratchFolder: () => folder,
  start: (listener) => startChild(join(import.meta.dirname, "files", "hangingGuest.ts"), listener),
});

afterAll(() => files.closeAll());

const lines = (ztd: number): string[] => Array.from({ length: 3 }, (_, i) => `a,2026-01-01T00:0${i}:00Z,${ztd + i}`);

async function opened(name: string, ztd: number): Promise<OpenedFile> {
  const path = join(folder, name);
  writeFileSync(path, ["station_id,time,ztd_mm", ...lines(ztd)].join("\n"));
  const [grant] = await files.grant([{ path }]);
  return valueOf(await files.open(grant!.grantId, never));
}

function page(file: OpenedFile, offset = 0): ReturnType<typeof files.page> {
  return files.page(file.id, { seriesIds: [file.series[0]!.id], range: null, offset, limit: 10 }, never);
}

it("a file that hangs the reader is closed with a message, and the others stay open", async () => {
  const [bad, good, changed] = [
    await opened("bad.csv", 2_401),
    await opened("good.csv", 2_402),
    await opened("changed.csv", 2_403),
  ];
  expect(valueOf(await page(good)).columns).toEqual([Float64Array.of(2_402, 2_403, 2_404)]);
  // The next thread reads other content.
  writeFileSync(join(folder, "changed.csv"), "station_id,time,ztd_mm\na,2026-01-01T00:00:00Z,2409\n");

  const hanging = page(bad, ENDLESS_OFFSET);
  const behind = page(good, 1);
  expect(await hanging).toMatchObject({
    ok: false,
    error: { kind: "usage", message: expect.stringMatching(/^bad\.csv was closed: .* The other files stay open\.$/) },
  });
  // The next thread serves the following request.
  expect(valueOf(await behind).columns).toEqual([Float64Array.of(2_403, 2_404)]);
  expect(files.list().map((f) => f.name)).toContain("good.csv");
  expect(files.list().map((f) => f.name)).not.toContain("bad.csv");
  expect(await page(bad)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining("no longer open") },
  });
  expect(await page(changed)).toMatchObject({ ok: false });
  expect(files.list().map((f) => f.name)).toEqual(["good.csv"]);
  expect((await opened("new.csv", 2_405)).series).toHaveLength(1);
});

it("a file that takes too much memory is closed with a message, and the others stay open", async () => {
  const [huge, kept] = [await opened("huge.csv", 2_401), await opened("kept.csv", 2_402)];
  expect(await page(huge, HUGE_OFFSET)).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/^huge\.csv was closed: reading it takes more than 512 MB of memory/) },
  });
  expect(valueOf(await page(kept)).columns).toEqual([Float64Array.of(2_402, 2_403, 2_404)]);
});
