import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import type { FaultOf, Faults } from "./faults.ts";

/** The two places where faults can change a body: before it is compressed, and on the wire. */
interface SpoiltBody {
  readonly wire: Writable;
  plain(target: Writable): Writable;
}

/**
 * Inserts the transport faults of a request between its body and the connection. Without any, the response itself is
 * returned.
 */
export function spoil(response: ServerResponse, faults: Faults, length: number | null): SpoiltBody {
  const truncated = faults.find("truncated");
  let wire: Writable = response;
  const reset = faults.find("resetInside");
  if (reset) wire = cutAfter(wire, reset.afterBytes, () => resetSoon(response));
  if (truncated) wire = truncateWire(wire, response, truncated, length);
  const drip = faults.find("drip");
  if (drip) wire = dripping(wire, drip);
  return {
    wire,
    plain: (target) =>
      truncated?.how === "json" ? cutAfter(target, truncated.afterBytes, () => target.end()) : target,
  };
}

/** Time for the client to read what was sent: a reset discards whatever it has not read yet. */
const RESET_DELAY_MS = 30;

function resetSoon(response: ServerResponse): void {
  setTimeout(() => response.socket?.resetAndDestroy(), RESET_DELAY_MS);
}

function truncateWire(
  wire: Writable,
  response: ServerResponse,
  fault: FaultOf<"truncated">,
  length: number | null,
): Writable {
  // A Content-Length of the whole body would reveal a truncation that should look complete.
  response.removeHeader("Content-Length");
  switch (fault.how) {
    case "json":
      return wire;
    case "gzip":
      return cutAfter(wire, fault.afterBytes, () => wire.end());
    case "length":
      response.setHeader("Content-Length", Math.max(length ?? 0, fault.afterBytes + 1));
      return cutAfter(wire, fault.afterBytes, () => response.socket?.end());
    case "chunked":
      return cutAfter(wire, fault.afterBytes, () => response.socket?.end());
  }
}

/** Passes the first bytes, then calls `cut` and discards the rest; a shorter body is cut at its end. */
function cutAfter(target: Writable, afterBytes: number, cut: () => void): Writable {
  let left = afterBytes;
  let isCut = false;
  const cutOnce = (): void => {
    if (!isCut) cut();
    isCut = true;
  };
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      if (isCut) return done();
      const kept = chunk.subarray(0, left);
      left -= kept.length;
      target.write(kept, (error) => {
        if (left === 0) cutOnce();
        done(error);
      });
    },
    final(done) {
      cutOnce();
      done();
    },
  });
}

function dripping(target: Writable, fault: FaultOf<"drip">): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      const drip = (at: number): void => {
        if (at >= chunk.length || target.destroyed) return done();
        target.write(Uint8Array.from(chunk.subarray(at, at + fault.pieceBytes)));
        setTimeout(drip, fault.delayMs, at + fault.pieceBytes);
      };
      drip(0);
    },
    final(done) {
      target.end(done);
    },
  });
}
