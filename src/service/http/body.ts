import type { IncomingMessage } from "node:http";
import { failure, success, type Result } from "#shared/service/error.ts";
import { ClientGone } from "./stream.ts";
import { refusal, type Refusal } from "./refusal.ts";

/** Room for some twenty thousand station ids; anything larger is no query. */
const MAX_BODY_BYTES = 1_048_576;

/** Reads a JSON body (4.4). A body that is too large, of another type, not UTF-8 or not JSON gives 400. Throws `ClientGone`. */
export async function readJsonBody(request: IncomingMessage): Promise<Result<unknown, Refusal>> {
  const type = (request.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  if (type !== "application/json") {
    return failure(refusal(400, "The header Content-Type: application/json is required."));
  }
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of request as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > MAX_BODY_BYTES) {
        // The rest stays unread: the connection cannot be used again.
        return failure(refusal(400, "The body is larger than 1 MiB.", { headers: { Connection: "close" } }));
      }
      pieces.push(piece);
    }
  } catch {
    throw new ClientGone();
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces));
    return success(JSON.parse(text));
  } catch {
    return failure(refusal(400, "The body is not valid JSON."));
  }
}
