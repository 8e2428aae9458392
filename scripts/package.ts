// npm run package: installers for this system in dist/. With --inspectable, an unpacked program for tests instead, which
// can be controlled through the inspector and must not be published. Other arguments are passed to electron-builder.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./build.ts";
import { electronOrNull } from "./electron.ts";
import { packedPrograms, wrongFuses } from "./fuses.ts";
import { licencesText, shipped } from "./licences.ts";
import { writeLinuxFiles } from "./linuxFiles.ts";
import { MAKERS, tool } from "./tools.ts";

const root = join(import.meta.dirname, "..");
const OUTPUT = "-c.directories.output=";
const args = process.argv.slice(2);
const isInspectable = args.includes("--inspectable");
const given = args.find((arg) => arg.startsWith(OUTPUT))?.slice(OUTPUT.length);
const output = given ?? join(root, "dist", ...(isInspectable ? ["inspectable"] : []));
const forTests = ["--dir", "-c.electronFuses.enableNodeCliInspectArguments=true", `-c.directories.output=${output}`];

// Checked first, because electron-builder itself would try for minutes.
const hasRuntime = args.some((arg) => arg.startsWith("-c.electronDist"));
if (!hasRuntime && (await electronOrNull((text) => console.error(text))) === null) {
  console.error(
    "Installers cannot be made here: the Electron runtime cannot be downloaded. It comes from github.com; ELECTRON_MIRROR and HTTPS_PROXY name other ways.",
  );
  process.exit(1);
}
ensureBuilt(() => console.error("Building …"));
rmSync(output, { recursive: true, force: true });
await writeLinuxFiles(join(root, "out", "linux"));
writeFileSync(join(root, "out", "LICENCES.txt"), licencesText(shipped(root)));
const rest = args.filter((arg) => arg !== "--inspectable");
const done = spawnSync(
  process.execPath,
  [
    tool("electron-builder", "electron-builder", MAKERS),
    "--publish",
    "never",
    ...(isInspectable ? forTests : []),
    ...rest,
  ],
  {
    cwd: root,
    stdio: "inherit",
  },
);
if (done.status !== 0) {
  console.error("The installers could not be made. Electron's runtime and the installers' tools come from github.com.");
  process.exit(done.status ?? 1);
}

const programs = packedPrograms(output);
if (programs.length === 0) throw new Error(`There is no program in ${output}, so that its fuses cannot be checked.`);
for (const program of programs) {
  const wrong = await wrongFuses(program, isInspectable);
  if (wrong.length > 0) throw new Error(`These fuses of ${program} are wrong: ${wrong.join(", ")}.`);
  console.log(`All fuses of ${program} are correct.`);
}
