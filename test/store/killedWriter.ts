import { openCache } from "#main/store/index.ts";
import { killScope, rowsOfAnswer } from "./killed.ts";
import { writeRows } from "./model.ts";

// A program of its own: commits one answer after the other and says so, until it is killed.
const cache = openCache(process.argv[2]!);
for (let answer = Number(process.argv[3]); ; answer++) {
  writeRows(cache, killScope(answer), rowsOfAnswer(answer));
  process.stdout.write(`${answer}\n`);
}
