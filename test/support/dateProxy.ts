import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Passes everything on to a service, and lets the test decide what `Date` its answers bear. */
export interface DateProxy {
  readonly url: string;
  /** The header of each answer, out of the one that the service sent; null leaves it out. */
  date: (sent: string) => string | null;
  close(): Promise<void>;
}

export async function startDateProxy(serviceUrl: string): Promise<DateProxy> {
  const server = createServer((incoming, outgoing) => {
    outgoing.sendDate = false;
    const { method, headers } = incoming;
    const onward = request(new URL(incoming.url!, serviceUrl), { method, headers }, (answer) => {
      const { date, ...rest } = answer.headers;
      const told = proxy.date(date!);
      outgoing.writeHead(answer.statusCode!, { ...rest, ...(told === null ? {} : { date: told }) });
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: DateProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    date: (sent) => sent,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
