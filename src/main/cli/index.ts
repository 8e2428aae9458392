import { onInterrupt, runCommandLine } from "./run.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), onInterrupt);
