// A plain HTTP server that responds from files, so that its speed does not limit a measurement. It requests a response
// without a recording once from the reference service and saves it. It is a separate process for all clients.
import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { startService } from "#service/index.ts";
import { BENCH_KEY, type ReplayArguments, type ReplayHello } from "./replay.ts";
import { recordingKey } from "./key.ts";

const CHUNK_BYTES = 1 << 20;

const { folder, decimals } = JSON.parse(process.argv[2]!) as ReplayArguments;
mkdirSync(folder, { recursive: true });
const service = await startService({
  decimals,
  gzip: false,
  organizations: [{ key: BENCH_KEY, name: "bench", maxPoints: null, deadlineMs: 3_600_000, maxConcurrent: 64 }],
});
const recordings = new Map<string, Promise<string>>();

/** Sends a request to the reference service, saves the response, and returns its file. */
async function record(key: string, method: string, url: string, body: string): Promise<string> {
  const file = join(folder, key);
  if (existsSync(file)) return file;
  const answer = await fetch(service.url + url, {
    method,
    headers: { "X-API-Key": BENCH_KEY, Accept: "application/json", "Content-Type": "application/json" },
    ...(body === "" ? {} : { body }),
  });
  if (!answer.ok || !answer.body) throw new Error(`${answer.status} ${await answer.text()}`);
  await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(`${file}.part`));
  renameSync(`${file}.part`, file);
  return file;
}

/** Alternates between two buffers: a stream would allocate each buffer, which takes as long as sending it. */
async function send(path: string, response: ServerResponse): Promise<void> {
  const file = await open(path);
  const memory = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)] as const;
  try {
    let sending: Promise<void> = Promise.resolve();
    for (let turn = 0; ; turn++) {
      const chunk = memory[turn % 2]!;
      const { bytesRead } = await file.read(chunk, 0, chunk.length);
      await sending;
      if (bytesRead === 0) break;
      sending = new Promise((resolve, reject) => {
        response.write(chunk.subarray(0, bytesRead), (error) => (error ? reject(error) : resolve()));
      });
      // The next turn reports a client that has disconnected.
      sending.catch(() => undefined);
    }
    response.end();
  } finally {
    await file.close();
  }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const key = recordingKey(request.method!, request.url!, body);
  const recorded = recordings.get(key) ?? record(key, request.method!, request.url!, body);
  recordings.set(key, recorded);
  const file = await recorded;
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": statSync(file).size });
  await send(file, response);
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
// The process that started it has ended.
process.on("disconnect", () => process.exit());
const hello: ReplayHello = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
process.send!(hello);
