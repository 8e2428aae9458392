// Replaces a folder, and hangs between the two renames, to be killed there.
import { promises, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

const [, , target = ""] = process.argv;
const { rename } = promises;
promises.rename = async (from, to) => {
  if (to !== target) return rename(from, to);
  console.log("between");
  await new Promise(() => setInterval(() => {}, 1_000_000));
};
syncBuiltinESMExports();
const { writeThroughFolder } = await import("#formats/temporaryFolder.ts");
await writeThroughFolder(
  target,
  async () => true,
  async (folder) => writeFileSync(join(folder, "new"), ""),
);
