// Promise: a schedule replaces its own files, and never a file of the user, also if its program was killed.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { FileGroup } from "#formats/fileGroup.ts";
import { failure } from "#shared/service/error.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { at, type Box, CSV, openBox } from "./scheduleBox.ts";

const OUTPUTS = {
  csv: { ...CSV, template: "{name}.{ext}" },
  svg: { kind: "figure", format: "svg", template: "{name}.{ext}" },
} as const;

/** Runs the schedule a day later. A kill ends the program when its files are complete, before or after they have their names. */
async function run(box: Box, killed?: "before" | "after"): Promise<string> {
  box.time += DAY_MS;
  const { place } = FileGroup.prototype;
  const spy = vi.spyOn(FileGroup.prototype, "place");
  const ended = await box.wake((stop) => {
    if (killed !== undefined)
      spy.mockImplementationOnce(async function (this: FileGroup) {
        if (killed === "after") await place.call(this);
        stop();
        return failure({ kind: "cancelled", message: "killed", cause: null });
      });
  });
  spy.mockRestore();
  return JSON.stringify(ended);
}

it.each(["csv", "svg"] as const)("after a kill, a file that appeared or was changed is kept (%s)", async (ending) => {
  const box = await openBox(at("2026-11-02 12:00"));
  await box.add({ exports: [OUTPUTS[ending]] });
  const path = join(box.out, `Morning.${ending}`);
  const isMine = (): boolean => readFileSync(path, "utf8") === "mine";
  await run(box, "before");
  writeFileSync(path, "mine");
  expect(await run(box)).toContain("was not written by this schedule");
  expect(isMine()).toBe(true);
});

it("after a kill, a file of the schedule is replaced, also if it has just got its name", async () => {
  const box = await openBox(at("2026-11-02 12:00"));
  await box.add({ exports: [OUTPUTS.csv] });
  const path = join(box.out, "Morning.csv");
  await run(box, "after");
  expect(readFileSync(path, "utf8")).toContain("2026-11-02T23:59");
  expect(await run(box)).toContain('"files":[{"path"');
  await run(box, "before");
  expect(await run(box)).toContain('"files":[{"path"');
  expect(readFileSync(path, "utf8")).toContain("2026-11-05T23:59");
  await run(box, "before");
  writeFileSync(path, "mine");
  expect(await run(box)).toContain("was changed or replaced after this schedule wrote it");
  expect(readFileSync(path, "utf8")).toBe("mine");
});
