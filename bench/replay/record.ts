import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BENCH_KEY } from "./replay.ts";

/** More than the length of the end of a body: `],"count":1000000}`. */
const TAIL_BYTES = 64;

/** Requests a time series and writes the bytes of the response to the sink. Returns the row count of the response. */
async function send(url: string, query: object, sink: Writable): Promise<number> {
  const sent = request(`${url}/api/v1/measurements/query`, {
    method: "POST",
    headers: { "X-API-Key": BENCH_KEY, Accept: "application/json", "Content-Type": "application/json" },
  }).end(JSON.stringify(query));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`The service answered ${response.statusCode}.`);
  let tail = Buffer.alloc(0);
  response.on("data", (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
  });
  await pipeline(response, sink);
  return Number(/"count":(\d+)}$/.exec(tail.toString("latin1"))?.[1]);
}

/** Saves the response to a time series query in a file. */
export function download(url: string, query: object, path: string): Promise<number> {
  return send(url, query, createWriteStream(path));
}

/** Reads the response to a time series query to its end and discards it. */
export function drain(url: string, query: object): Promise<number> {
  return send(url, query, new Writable({ write: (_chunk, _encoding, done) => done() }));
}
