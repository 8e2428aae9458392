// npm run mutants [-- FOLDER… --count N --seed N]: breaks the sources in small ways, one at a time, in a copy, and counts
// the ways that the tests of their folder notice. What they do not notice is a promise without a test, or needless code.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Mutant, mutantsOf } from "./testing/mutants.ts";
import { tool } from "./tools.ts";

/** The tests that judge a folder, from the nearest to the farthest. */
const JUDGES: Readonly<Record<string, readonly string[]>> = {
  "src/main/planner": ["test/planner", "test/sync"],
  "src/main/sync": ["test/sync", "test/client"],
  "src/main/store": ["test/store", "test/sync"],
  "src/main/analysis": ["test/analysis", "test/cli/compare.test.ts"],
};
/** A test that a mutant keeps busy for longer has noticed it. */
const PATIENCE_MS = 240_000;

const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string", default: "25" }, seed: { type: "string", default: "1" } },
});
const unknown = positionals.find((folder) => !(folder in JUDGES));
if (unknown !== undefined) {
  console.error(`No tests are known for “${unknown}”. The folders are ${Object.keys(JUDGES).join(", ")}.`);
  process.exit(2);
}
const [count, seed] = [Number(values.count), Number(values.seed)];
if (![count, seed].every((number) => Number.isInteger(number) && number >= 1)) {
  console.error("--count and --seed must be whole numbers of at least 1.");
  process.exit(2);
}
const folders = positionals.length > 0 ? positionals : Object.keys(JUDGES);

const copy = mkdtempSync(join(tmpdir(), "zenith-mutants-"));
/** Ends the tests that run, with all of their processes. */
let endTests: () => void = () => {};
process.on("exit", () => {
  endTests();
  rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
for (const name of ["docs", "package.json", "resources", "scripts", "src", "test", "tsconfig.json", "vitest.config.ts"])
  cpSync(join(root, name), join(copy, name), { recursive: true });
for (const name of ["node_modules", "out"]) symlinkSync(join(root, name), join(copy, name));

for (const folder of folders) {
  const all = globSync("**/*.ts", { cwd: join(root, folder), exclude: ["**/kernel/**"] })
    .toSorted()
    .flatMap((name) => mutantsOf(join(folder, name), readFileSync(join(root, folder, name), "utf8")));
  const tried = sample(all, count, seed);
  const survivors: Mutant[] = [];
  for (const mutant of tried) {
    const isKilled = await isNoticed(mutant, JUDGES[folder] ?? []);
    if (!isKilled) survivors.push(mutant);
    console.log(`${isKilled ? "noticed " : "SURVIVED"} ${mutant.file}:${mutant.line}  ${mutant.change}`);
  }
  const noticed = tried.length - survivors.length;
  console.log(`${folder}: ${noticed} of ${tried.length} noticed (${all.length} possible)`);
}

/** Whether a test fails, or does not end. */
async function isNoticed({ file, source }: Mutant, judges: readonly string[]): Promise<boolean> {
  const path = join(copy, file);
  const before = readFileSync(path);
  writeFileSync(path, source);
  try {
    for (const judge of judges) if (!(await passes(judge))) return true;
    return false;
  } finally {
    writeFileSync(path, before);
  }
}

/** Whether the tests of a folder pass in time. */
async function passes(folder: string): Promise<boolean> {
  const args = [tool("vitest"), "run", "--bail=1", folder];
  const env = { ...process.env, TMPDIR: copy };
  const child = spawn(process.execPath, args, { cwd: copy, env, stdio: "ignore", detached: true });
  endTests = () => process.kill(-child.pid!, "SIGKILL");
  const timer = setTimeout(endTests, PATIENCE_MS);
  const [code] = (await once(child, "exit")) as [number | null];
  clearTimeout(timer);
  endTests = () => {};
  return code === 0;
}

/** A random choice of `count` elements, the same for the same seed (Lehmer's generator). */
function sample<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  let state = seed;
  const keyed = all.map((value) => ({ value, key: (state = (state * 48_271) % 2_147_483_647) }));
  return keyed
    .toSorted((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ value }) => value);
}
