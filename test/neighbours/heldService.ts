import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy of a service that can hold requests, so that a program stops in the middle of its work. */
export interface HeldService {
  readonly url: string;
  /** Holds matching requests from now on. @returns a function that releases them */
  hold(fits: (path: string) => boolean): () => void;
  /** Waits until a request is held. */
  waiting(): Promise<void>;
  close(): void;
}

const NEVER: (path: string) => boolean = () => false;

export async function holdable(targetUrl: string): Promise<HeldService> {
  const target = new URL(targetUrl);
  let isHeld = NEVER;
  let door = Promise.withResolvers<void>();
  let bell = Promise.withResolvers<void>();
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing).catch(() => outgoing.destroy()));
  async function pass(incoming: IncomingMessage, outgoing: import("node:http").ServerResponse): Promise<void> {
    if (isHeld(incoming.url ?? "")) {
      bell.resolve();
      await door.promise;
    }
    const { host: _, ...headers } = incoming.headers;
    const onward = request({
      host: target.hostname,
      port: target.port,
      path: incoming.url,
      method: incoming.method,
      headers,
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
    const [response] = (await once(onward, "response")) as [IncomingMessage];
    outgoing.writeHead(response.statusCode ?? 500, response.headers);
    response.pipe(outgoing);
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(fits) {
      isHeld = fits;
      door = Promise.withResolvers<void>();
      bell = Promise.withResolvers<void>();
      const { resolve } = door;
      return () => {
        isHeld = NEVER;
        resolve();
      };
    },
    waiting: () => bell.promise,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
