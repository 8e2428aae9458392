import { openCache } from "#main/store/index.ts";
import { killScope, rowsOfResponse } from "./killed.ts";
import { writeRows } from "./model.ts";

// Process that commits responses one after another and reports each, until it is killed.
const cache = openCache(process.argv[2]!);
for (let response = Number(process.argv[3]); ; response++) {
  writeRows(cache, killScope(response), rowsOfResponse(response));
  process.stdout.write(`${response}\n`);
}
