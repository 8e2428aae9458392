import { openCache } from "#main/store/index.ts";
import { killScope, rowsOfAnswer } from "./killed.ts";
import { writeRows } from "./model.ts";

// Process that commits one response after the other and reports each, until it is killed.
const cache = openCache(process.argv[2]!);
for (let answer = Number(process.argv[3]); ; answer++) {
  writeRows(cache, killScope(answer), rowsOfAnswer(answer));
  process.stdout.write(`${answer}\n`);
}
