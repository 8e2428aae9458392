import type { IncomingMessage } from "node:http";
import type { Writable } from "node:stream";
import { failure, type Result, success } from "#shared/service/error.ts";
import { refusal, type Refusal } from "./refusal.ts";

/** Thrown while a response is written whose client has disconnected. */
export class ClientGone extends Error {
  constructor() {
    super("The client is gone.");
    this.name = "ClientGone";
  }
}

/** The body of a response, with backpressure: a write waits until the network has taken the chunk. */
export class BodyStream {
  readonly #target: Writable;
  readonly #signal: AbortSignal;

  constructor(target: Writable, signal: AbortSignal) {
    this.#target = target;
    this.#signal = signal;
    // The signal reports failures of the connection; a stream without a listener would throw.
    target.on("error", () => undefined);
  }

  /** Resolves when the memory of the chunk may be reused. Rejects with `ClientGone`. */
  write(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new ClientGone());
      if (this.#signal.aborted) return gone();
      this.#signal.addEventListener("abort", gone, { once: true });
      this.#target.write(chunk, (error) => {
        this.#signal.removeEventListener("abort", gone);
        if (error) reject(new ClientGone());
        else resolve();
      });
    });
  }

  end(): void {
    this.#target.end();
  }
}

/** Enough for some twenty thousand station ids; anything larger is not a query. */
const MAX_BODY_BYTES = 1_048_576;

/** The rest of a body stays unread, so the connection cannot be reused. */
const CLOSE = { headers: { Connection: "close" } };

/**
 * Reads a JSON body (4.4). A body that is too large, of another type, not UTF-8 or not JSON gives 400, one that is not
 * complete after `timeoutMs` gives 408. Throws `ClientGone`.
 */
export async function readJsonBody(request: IncomingMessage, timeoutMs: number): Promise<Result<unknown, Refusal>> {
  const [type = ""] = (request.headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") {
    return failure(refusal(400, "The header Content-Type: application/json is required."));
  }
  const bytes = await readBytes(request, timeoutMs);
  if (!bytes.ok) return bytes;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.value);
    return success(JSON.parse(text));
  } catch {
    return failure(refusal(400, "The body is not valid JSON."));
  }
}

/** Without `for await`: leaving such a loop destroys the connection, which is still needed for the refusal. */
function readBytes(request: IncomingMessage, timeoutMs: number): Promise<Result<Uint8Array, Refusal>> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = (result: Result<Uint8Array, Refusal>): void => {
      clearTimeout(timer);
      request.off("data", take);
      resolve(result);
    };
    const take = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) settle(failure(refusal(400, "The body is larger than 1 MiB.", CLOSE)));
      else chunks.push(chunk);
    };
    const late = (): void =>
      settle(failure(refusal(408, `The body was not complete after ${timeoutMs / 1000} seconds.`, CLOSE)));
    const timer = setTimeout(late, timeoutMs);
    request.on("data", take);
    request.once("end", () => settle(success(Buffer.concat(chunks))));
    const gone = (): void => {
      clearTimeout(timer);
      reject(new ClientGone());
    };
    request.once("error", gone);
    request.once("close", gone);
  });
}
