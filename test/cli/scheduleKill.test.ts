import { spawn } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { tries } from "../support/endurance.ts";
import { SCRIPT } from "./program.ts";
import { openTrial } from "./trial.ts";

/** Counts calls that change files, kills its process at one of them, and prints the number at the end. */
const KILLER = `
  import fs, { promises, writeSync } from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  let steps = 0;
  for (const holder of [fs, promises])
    for (const name of ["rename", "renameSync", "rm", "rmSync", "unlink", "unlinkSync", "open", "openSync", "mkdir", "mkdirSync"]) {
      const call = holder[name];
      if (call) holder[name] = function (...words) {
        if (++steps === Number(process.env.KILL_AT)) process.kill(process.pid, "SIGKILL");
        return call.apply(this, words);
      };
    }
  syncBuiltinESMExports();
  process.on("exit", () => writeSync(2, "steps " + steps));
`;

const { home } = await openTrial();
const since = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
const files = ["--format", "csv,netcdf", "--template", "{range}.{ext}", "--since", since];
await home.json(["schedule", "add", "Daily", "Torsvika", "--daily", "00:00", "--vars", "ztd", ...files]);

/** Runs what is due in a copy of the data folder, which stays. */
async function run(copy: string, killAt: number) {
  const preload = `data:text/javascript,${encodeURIComponent(KILLER)}`;
  const words = ["--import", preload, SCRIPT, "schedule", "run", "Daily", "--quiet"];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ZENITH_HOME: copy, KILL_AT: String(killAt) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) =>
    child.once("close", (code, by) => resolve([code, by])),
  );
  const [stderr, [status, signal]] = await Promise.all([text(child.stderr), ended]);
  return { signal, status, stderr, steps: Number(/steps (\d+)$/.exec(stderr)?.[1]) };
}

/** Names of the files, and the rows of the tables among them. */
function delivered(copy: string): Record<string, string | null> {
  const folder = join(copy, "scheduled", "Daily");
  const files = readdirSync(folder).toSorted();
  return Object.fromEntries(
    files.map((name) => [name, name.endsWith(".csv") ? readFileSync(join(folder, name), "utf8") : null]),
  );
}

function copied(name: string): string {
  const copy = join(home.folder, name);
  cpSync(join(home.folder, "home"), copy, { recursive: true });
  return copy;
}

it("a run that was killed at any change of a file is completed by the next one, with the same files", async () => {
  const whole = copied("whole");
  const { steps, signal } = await run(whole, 0);
  expect(signal).toBeNull();
  expect(steps).toBeGreaterThan(20);
  const expected = delivered(whole);
  expect(Object.keys(expected).filter((name) => name.endsWith(".csv")).length).toBeGreaterThan(2);
  const count = tries(2, steps);
  for (let i = 1; i <= count; i++) {
    const copy = copied("killed");
    const killAt = Math.ceil((i * steps) / (count + 1));
    expect((await run(copy, killAt)).signal, `step ${killAt}`).toBe("SIGKILL");
    expect(await run(copy, 0), `after step ${killAt}`).toMatchObject({ signal: null, status: 0 });
    expect(delivered(copy), `after step ${killAt}`).toEqual(expected);
    rmSync(copy, { recursive: true });
  }
});
