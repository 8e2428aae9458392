import { runProcess } from "./run.ts";

await runProcess(process.argv.slice(2));
