import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import type { FaultOf, Faults } from "./types.ts";

/** The two places where a body can be spoilt: before it is compressed, and on the wire. */
export interface SpoiltBody {
  readonly wire: Writable;
  plain(target: Writable): Writable;
}

/**
 * Puts the transport faults that struck a request between its body and the connection. Without any, the response
 * itself is returned.
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

/** Time for what was sent to be read: a reset takes along whatever the other side has not read yet. */
const RESET_AFTER_MS = 30;

function resetSoon(response: ServerResponse): void {
  setTimeout(() => response.socket?.resetAndDestroy(), RESET_AFTER_MS);
}

function truncateWire(
  wire: Writable,
  response: ServerResponse,
  fault: FaultOf<"truncated">,
  length: number | null,
): Writable {
  // What was announced for the whole body would make a cut visible that is meant to look complete.
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

/** Lets the first bytes pass, then calls `cut` and swallows the rest; a shorter body is cut at its end. */
function cutAfter(target: Writable, afterBytes: number, cut: () => void): Writable {
  let left = afterBytes;
  let isCut = false;
  const cutOnce = (): void => {
    if (!isCut) cut();
    isCut = true;
  };
  return new Writable({
    write(piece: Uint8Array, _encoding, done) {
      if (isCut) return done();
      const kept = piece.subarray(0, left);
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
    write(piece: Uint8Array, _encoding, done) {
      const drip = (at: number): void => {
        if (at >= piece.length || target.destroyed) return done();
        target.write(Uint8Array.from(piece.subarray(at, at + fault.pieceBytes)));
        setTimeout(drip, fault.delayMs, at + fault.pieceBytes);
      };
      drip(0);
    },
    final(done) {
      target.end(done);
    },
  });
}
