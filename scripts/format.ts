// Formats every source file in place.
import { spawnSync } from "node:child_process";
import { tool } from "./tools.ts";

process.exit(spawnSync(process.execPath, [tool("oxfmt"), "."], { stdio: "inherit" }).status ?? 1);
