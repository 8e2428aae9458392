import type { Socket } from "node:net";
import type { buildConnector } from "undici";

/** Without 101 (Switching Protocols), after which nothing is HTTP. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const STATUS_LENGTH = "HTTP/1.1 100".length;
const HEADERS_END = "\r\n\r\n";
/** A longer head, or more responses in a row, are left to the parser, which refuses them. */
const MAX_HEAD_BYTES = 16_384;
const MAX_RESPONSES = 100;

/**
 * Leaves interim responses (1xx) out of what the sockets of a connector deliver. A client has to read them although it
 * did not ask for one (RFC 9110, section 15.2), and proxies send 100 (Continue); undici ends the connection then, and has
 * no setting for it. There is no pipelining, so the first bytes after a write begin a response.
 */
export function withoutInterim(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result;
      if (socket) dropInterim(socket);
      callback(...result);
    });
}

function dropInterim(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  let isAwaiting = false;
  let held: Buffer = Buffer.alloc(0);
  let dropped = 0;
  socket.write = (...given: unknown[]) => {
    isAwaiting = true;
    dropped = 0;
    return write(...given);
  };
  socket.read = (size?: number) => {
    for (;;) {
      const chunk = read(size);
      if (chunk === null || !isAwaiting) return chunk;
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      while (dropped < MAX_RESPONSES && INTERIM.test(headStart(held)) && held.includes(HEADERS_END)) {
        held = held.subarray(held.indexOf(HEADERS_END) + HEADERS_END.length);
        dropped++;
      }
      if (held.length === 0 || mayBecomeInterim(held)) continue;
      const rest = held;
      held = Buffer.alloc(0);
      isAwaiting = false;
      return rest;
    }
  };
}

function headStart(bytes: Buffer): string {
  return bytes.toString("latin1", 0, STATUS_LENGTH);
}

/** Whether more bytes are needed to tell, or to find the end of the response. */
function mayBecomeInterim(bytes: Buffer): boolean {
  if (bytes.length > MAX_HEAD_BYTES || bytes.includes(HEADERS_END)) return false;
  const start = headStart(bytes);
  // Shorter than a status: completed with a digit of an interim one.
  return INTERIM.test(start) || INTERIM.test(start + "HTTP/1.1 100".slice(start.length));
}
