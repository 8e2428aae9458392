import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { BENCH_KEY } from "./replay.ts";

/** More than the length of the end of a body: `],"count":1000000}`. */
const TAIL_BYTES = 64;

/** Reads the response to a time series query to its end and discards it. Returns the row count of the response. */
export async function drain(url: string, query: object): Promise<number> {
  const sent = request(`${url}/api/v1/measurements/query`, {
    method: "POST",
    headers: { "X-API-Key": BENCH_KEY, Accept: "application/json", "Content-Type": "application/json" },
  }).end(JSON.stringify(query));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`The service answered ${response.statusCode}.`);
  let tail = Buffer.alloc(0);
  for await (const chunk of response as AsyncIterable<Buffer>)
    tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
  return Number(/"count":(\d+)}$/.exec(tail.toString("latin1"))?.[1]);
}
