// npm run schemas: writes the documents made from types again: the schemas of --json (docs/json), and the table and the
// schema of the service's configuration.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { tool } from "./tools.ts";

const own = ["jsonSchemas.ts", "serviceDocs.ts"].map((name) => [join(import.meta.dirname, name)]);
for (const args of [...own, [tool("oxfmt"), "docs"]]) {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
