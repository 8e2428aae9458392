import { runCommandLine } from "./run.ts";
import { onInterrupt } from "./signals.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), onInterrupt);
