import { execFileSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTrial } from "./trial.ts";
import { mountSmallDisk } from "./mounts.ts";
import { describeUnless } from "../support/needs.ts";

const DAY = ["--day", "2026-10-05"];
const FULL = "The output could not be written: the disk is full (standard output)";

const { home } = await openTrial(["fetch", "Torsvika", ...DAY]);

async function runInto(
  file: string,
  words: readonly string[],
  stream: "stdout" | "stderr" = "stdout",
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const output = openSync(file, "w");
  try {
    return await home.run(words, { [stream]: output });
  } finally {
    closeSync(output);
  }
}

const header = Array.from({ length: 200 }, (_, i) => `site${i}_ztd`).join(",");
const values = Array.from({ length: 200 }, (_, i) => String(2_300 + i)).join(",");
writeFileSync(join(home.folder, "a.csv"), `time,${header}\n2026-01-01T00:00:00Z,${values}\n`);

describeUnless(existsSync("/dev/full") ? null : "this system has no /dev/full", "output to a full disk", () => {
  it("is reported by every command, with exit code 6", async () => {
    const commands = [
      ["stations"],
      ["gaps", "Torsvika", ...DAY, "--csv"],
      ["open", "a.csv", "--json"],
      ["--help"],
      ["stations", "--json"],
      ["gaps", "Torsvika", ...DAY],
      ["gaps", "Torsvika", ...DAY, "--json"],
      ["jobs"],
      ["cache", "statistics"],
      ["log"],
    ];
    for (const words of commands)
      expect([words, await runInto("/dev/full", words)]).toMatchObject([
        words,
        { code: 6, stderr: expect.stringContaining(FULL) },
      ]);
    const words = ["export", "Torsvika", ...DAY, "--format", "csv", "--out", "-"];
    expect(await runInto("/dev/full", words)).toMatchObject({
      code: 6,
      stderr: "The disk is full: /dev/stdout. Free some space, or choose another disk.\n",
    });
  });

  it("is reported if only the end does not fit", async (context) => {
    const disk = join(home.folder, "disk");
    mkdirSync(disk);
    const unmount = mountSmallDisk(disk, "64k");
    if (unmount === null) return context.skip("this system does not let the tests mount a small disk");
    try {
      execFileSync("dd", ["if=/dev/zero", `of=${join(disk, "filler")}`, "bs=1k", "count=48"], { stdio: "ignore" });
      for (const words of [
        ["open", "a.csv", "--json"],
        ["stations", "--json"],
      ])
        expect([words, await runInto(join(disk, "out"), words)]).toMatchObject([
          words,
          { code: 6, stderr: expect.stringContaining(FULL) },
        ]);
    } finally {
      unmount();
    }
  });
});
