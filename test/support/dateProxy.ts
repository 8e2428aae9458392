import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Forwards all requests to a service; the test chooses the `Date` header of the responses. */
export interface DateProxy {
  readonly url: string;
  /** Returns the header of a response, given the header of the service; null omits it. */
  date: (original: string) => string | null;
  close(): Promise<void>;
}

export async function startDateProxy(serviceUrl: string): Promise<DateProxy> {
  const server = createServer((incoming, outgoing) => {
    outgoing.sendDate = false;
    const { method, headers } = incoming;
    const onward = request(new URL(incoming.url!, serviceUrl), { method, headers }, (response) => {
      const { date, ...rest } = response.headers;
      const replaced = proxy.date(date!);
      outgoing.writeHead(response.statusCode!, { ...rest, ...(replaced === null ? {} : { date: replaced }) });
      response.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: DateProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    date: (original) => original,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
