import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BENCH_KEY } from "./replay.ts";

/** More than the end of a body needs: `],"count":1000000}`. */
const TAIL_BYTES = 64;

/** Asks for a time series and gives the bytes of the answer to the sink. Returns the rows that the answer counts. */
async function ask(url: string, query: object, sink: Writable): Promise<number> {
  const sent = request(`${url}/api/v1/measurements/query`, {
    method: "POST",
    headers: { "X-API-Key": BENCH_KEY, Accept: "application/json", "Content-Type": "application/json" },
  }).end(JSON.stringify(query));
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`The service answered ${answer.statusCode}.`);
  let tail = Buffer.alloc(0);
  answer.on("data", (piece: Buffer) => {
    tail = Buffer.concat([tail, piece.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
  });
  await pipeline(answer, sink);
  return Number(/"count":(\d+)}$/.exec(tail.toString("latin1"))?.[1]);
}

/** Keeps the answer to a time series query in a file. */
export function download(url: string, query: object, path: string): Promise<number> {
  return ask(url, query, createWriteStream(path));
}

/** Reads the answer to a time series query to its end and keeps nothing. */
export function drain(url: string, query: object): Promise<number> {
  return ask(url, query, new Writable({ write: (_piece, _encoding, done) => done() }));
}
