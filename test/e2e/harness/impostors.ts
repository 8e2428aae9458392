import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server as NetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Impostor {
  readonly url: string;
  close(): Promise<void>;
}

/** A web server that returns a web page for every request. */
export async function webPage(): Promise<Impostor> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Welcome</title><p>Please log in.");
  });
  return impostor(server, "http");
}

/** A port on which nothing listens. */
export async function nothing(): Promise<Impostor> {
  const { url, close } = await impostor(createServer(), "http");
  await close();
  return { url, close: () => Promise.resolve() };
}

/** A web server with a self-signed certificate; null if openssl is missing. */
export async function selfSigned(): Promise<Impostor | null> {
  const folder = mkdtempSync(join(tmpdir(), "zenith-certificate-"));
  try {
    const line =
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem -days 30 -subj /CN=127.0.0.1";
    execFileSync("openssl", line.split(" "), { cwd: folder, stdio: "pipe" });
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => readFileSync(join(folder, name)));
    return await impostor(createTlsServer({ key, cert }), "https");
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function impostor(
  server: Server | (NetServer & { closeAllConnections(): void }),
  scheme: string,
): Promise<Impostor> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
