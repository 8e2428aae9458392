import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTrial } from "./trial.ts";

const DAY = ["--day", "2026-10-05"];

const { home } = await openTrial();
writeFileSync(join(home.folder, "a.csv"), "time,ztd\n2026-01-01T00:00:00Z,2300\n");
await home.json(["fetch", "Torsvika", ...DAY]);

const COMMANDS: readonly (readonly string[])[] = [
  ["--help"],
  ["stations", "--refresh"],
  ["nearest", "Torsvika", "--at", "2026-10-05T06:00:00Z"],
  ["fetch", "Heinäniemi", ...DAY, "--interval", "1h"],
  ["export", "Torsvika", ...DAY, "--out", "a.nc", "--force"],
  ["figure", "Torsvika", ...DAY, "--out", "a.pdf", "--force"],
  ["resample", "Torsvika", ...DAY, "--interval", "1h"],
  ["gaps", "Torsvika", ...DAY],
  ["open", "a.csv"],
  ["compare", "cache", "a.csv"],
  ["jobs"],
  ["session", "save", "a.zenith", "--stations", "Torsvika", ...DAY, "--force"],
  ["session", "open", "a.zenith"],
  ["cache", "check"],
  ["cache", "compact"],
  ["log"],
  ["measure"],
];

// The other tests run most commands in their own process, where nothing shows that a command leaves something open.
it.each(COMMANDS.map((words) => [words] as const))(
  "a process ends by itself, with the code and output of a call: %j",
  async (words) => {
    const copy = join(home.folder, "copy");
    cpSync(join(home.folder, "home"), copy, { recursive: true });
    const call = await home.run(words);
    const process = await home.run(words, { asProcess: true, env: { ZENITH_HOME: copy } });
    rmSync(copy, { recursive: true });
    expect(process.code).toBe(call.code);
    expect(form(process.stdout)).toBe(form(call.stdout));
  },
);

/** Without numbers, which tell times and ages. */
function form(text: string): string {
  return text.replaceAll(/[\d,.]+/g, "0").replaceAll(/ +/g, " ");
}
