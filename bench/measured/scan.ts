// Measures the scanner alone: it reads a recorded body in chunks, as from a socket, and the rows are discarded.
import { readFileSync } from "node:fs";
import { createRowScanner } from "#main/client/scanner/scanner.ts";
import type { Variable } from "#shared/service/variables.ts";
import { report, timed } from "../harness/report.ts";

export interface ScanArguments {
  readonly path: string;
  readonly variables: readonly Variable[];
}

export interface Scanned {
  readonly bytes: number;
  readonly rows: number;
  readonly seconds: number;
}

const CHUNK_BYTES = 1 << 16;

await report(async ({ path, variables }: ScanArguments): Promise<Scanned> => {
  const body = readFileSync(path);
  let rows = 0;
  const { seconds } = await timed(() => {
    const scanner = createRowScanner(variables, ({ timesMs }) => {
      rows += timesMs.length;
    });
    for (let at = 0; at < body.length; at += CHUNK_BYTES) scanner.push(body.subarray(at, at + CHUNK_BYTES));
    const fault = scanner.end();
    if (fault) throw new Error(`${fault.why}: ${fault.detail}`);
  });
  return { bytes: body.length, rows, seconds };
});
