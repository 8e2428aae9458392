import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createClient, createTransport } from "#main/client/index.ts";
import { CALLS, clientOf, EMPTY, httpServer, QUERY, rawServer, running, type Running } from "./servers.ts";
import { environmentProxy } from "#main/client/http/environmentProxy.ts";
import { serviceFault } from "#main/fault.ts";
import { socksProxy } from "./socks.ts";

const call = CALLS["timeSeries"]!;

/** A date relative to today in the format of openssl. */
function day(days: number): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`;
}

interface Certificate {
  readonly key: string;
  readonly cert: string;
}

describe("certificates", () => {
  let folder: string | null = null;
  let authority: Certificate;

  beforeAll(() => {
    try {
      execFileSync("openssl", ["version"]);
    } catch {
      return undefined;
    }
    folder = mkdtempSync(join(tmpdir(), "zenith-tls-"));
    openssl(
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.pem -days 30 -subj /CN=test-authority",
    );
    authority = { key: read("ca.key"), cert: read("ca.pem") };
    return () => rmSync(folder!, { recursive: true });
  });

  function openssl(line: string): void {
    execFileSync("openssl", line.split(" "), { cwd: folder!, stdio: "pipe" });
  }

  function read(name: string): string {
    return readFileSync(join(folder!, name), "utf8");
  }

  /** A certificate for `name` by the authority, valid from `from` to `until` (days from now). */
  function issued(name: string, from: number, until: number): Certificate {
    writeFileSync(join(folder!, "names.txt"), `subjectAltName=${name}\n`);
    writeFileSync(join(folder!, "index.txt"), "");
    const serial = `${Date.now()}${Math.floor(performance.now() * 1_000)}`.slice(-16);
    writeFileSync(join(folder!, "serial"), serial.padStart(16, "1"));
    writeFileSync(
      join(folder!, "ca.cnf"),
      "[ca]\ndefault_ca=a\n[a]\nnew_certs_dir=.\ndatabase=index.txt\nserial=serial\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n",
    );
    openssl(
      "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout own.key -out own.csr -subj /CN=test-server",
    );
    openssl(
      `ca -batch -config ca.cnf -cert ca.pem -keyfile ca.key -in own.csr -out own.pem -extfile names.txt -startdate ${day(from)} -enddate ${day(until)}`,
    );
    return { key: read("own.key"), cert: read("own.pem") };
  }

  function secureServer(certificate: Certificate): Promise<Running> {
    const server = createServer({ ...certificate }, (_, response) => response.end(EMPTY));
    return running(server, "https");
  }

  async function trusting<T>(act: () => Promise<T>): Promise<T> {
    const before = tls.getCACertificates("default");
    tls.setDefaultCACertificates([...before, authority.cert]);
    try {
      return await act();
    } finally {
      tls.setDefaultCACertificates(before);
    }
  }

  test("are accepted if they are valid for the host", async (ctx) => {
    if (folder === null) return ctx.skip("openssl is not installed");
    const server = await secureServer(issued("IP:127.0.0.1", -1, 1));
    expect(await trusting(() => call(clientOf(server.url)))).toBeNull();
  });

  test("are rejected if they are expired or not valid yet", async (ctx) => {
    if (folder === null) return ctx.skip("openssl is not installed");
    for (const [from, until] of [
      [-9, -2],
      [2, 9],
    ] as const) {
      const server = await secureServer(issued("IP:127.0.0.1", from, until));
      const error = await trusting(() => call(clientOf(server.url)));
      expect(error).toMatchObject({ kind: "tls", message: expect.stringContaining("not valid today") });
    }
  });

  test("are rejected if they are for another host", async (ctx) => {
    if (folder === null) return ctx.skip("openssl is not installed");
    const server = await secureServer(issued("DNS:other.example.org", -1, 1));
    const error = await trusting(() => call(clientOf(server.url)));
    expect(error).toMatchObject({ kind: "tls", message: expect.stringContaining("another host") });
  });

  test("are rejected if they are of an untrusted authority", async (ctx) => {
    if (folder === null) return ctx.skip("openssl is not installed");
    for (const certificate of [issued("IP:127.0.0.1", -1, 1), authority]) {
      const error = await call(clientOf((await secureServer(certificate)).url));
      expect(error).toMatchObject({ kind: "tls", message: expect.stringContaining("not issued by an authority") });
    }
  });

  test("are accepted if the file of the connection has their authority, which may become unreadable", async (ctx) => {
    if (folder === null) return ctx.skip("openssl is not installed");
    const server = await secureServer(issued("IP:127.0.0.1", -1, 1));
    const through = async (caFile: string) => {
      const client = createClient({ baseUrl: server.url, apiKey: () => "k", route: { proxy: null, caFile } });
      const error = await call(client);
      await client.close();
      return error;
    };
    expect(await through(join(folder, "ca.pem"))).toBeNull();
    const gone = await through(join(folder, "gone.pem"));
    expect(gone).toMatchObject({
      kind: "tls",
      message: expect.stringMatching(/gone\.pem cannot be read/),
      isUnsent: true,
    });
    const wrong = await through(join(folder, "names.txt"));
    expect(wrong?.message).toMatch(/names\.txt has no certificate in PEM form/);
  });

  test("are accepted if only the system trusts the authority, through a proxy that does not see the key", async (ctx) => {
    if (folder === null || process.platform !== "linux")
      return ctx.skip("only Linux names its trusted file in a variable");
    const keys: unknown[] = [];
    const server = createServer(issued("DNS:gnss.example.invalid", -1, 1), (request, response) => {
      keys.push(request.headers["x-api-key"]);
      response.end(EMPTY);
    });
    const { port } = new URL((await running(server, "https")).url);
    const log: Buffer[] = [];
    const proxy = await running(
      createTcpServer((socket) => {
        const tunnel = connect(Number(port), "127.0.0.1");
        for (const [from, to] of [
          [socket, tunnel],
          [tunnel, socket],
        ] as const) {
          from.on("data", (bytes: Buffer) => log.push(bytes));
          from.on("error", () => to.destroy());
        }
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
          socket.pipe(tunnel).pipe(socket);
        });
      }),
    );
    // A separate process, because trusted certificates are read once.
    const modules = join(import.meta.dirname, "../../src/main/client/index.ts");
    const script = `import { createClient } from ${JSON.stringify(pathToFileURL(modules).href)};
      const client = createClient({ baseUrl: "https://gnss.example.invalid", apiKey: () => "secret-key" });
      const answer = await client.timeSeries(${JSON.stringify(QUERY)}, { onRows() {} }, new AbortController().signal);
      console.log(answer.ok ? "arrived" : answer.error.message);
      await client.close();`;
    const env = { ...process.env, SSL_CERT_FILE: join(folder, "ca.pem"), HTTPS_PROXY: proxy.url, NO_PROXY: "" };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
    expect(stdout).toBe("arrived\n");
    expect(keys).toStrictEqual(["secret-key"]);
    expect(log[0]?.toString()).toMatch(/^CONNECT gnss\.example\.invalid:443 /);
    expect(log.length).toBeGreaterThan(2);
    expect(Buffer.concat(log).toString("latin1")).not.toContain("secret-key");
  });

  test("are missing at a server without TLS, which has a separate message", async () => {
    const server = await rawServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    server.heads.length = 0;
    const plain = await httpServer((_, response) => response.end(EMPTY));
    const error = await call(clientOf(plain.url.replace("http:", "https:")));
    expect(error?.kind).toBe("tls");
  });
});

function isProxied(url: string, no_proxy: string): boolean {
  const variables = { HTTPS_PROXY: "http://proxy:1", HTTP_PROXY: "http://other:2", no_proxy };
  return environmentProxy(new URL(url), variables) !== null;
}

/** Calls a service through the proxy of its connection. */
async function throughProxy(proxy: string) {
  const client = createClient({
    baseUrl: "https://gnss.example.invalid",
    apiKey: () => "k",
    route: { proxy, caFile: null },
  });
  const error = await call(client);
  await client.close();
  return error;
}

describe("a proxy", () => {
  const NAMES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
  const before = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));

  afterEach(() => {
    for (const name of NAMES) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });

  function use(url: string): void {
    for (const name of NAMES) delete process.env[name];
    process.env["HTTP_PROXY"] = url;
    process.env["HTTPS_PROXY"] = url;
  }

  test("with a password is reported with a message, over http and https", async () => {
    const proxy = await rawServer((socket) => {
      socket.end(
        "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n",
      );
    });
    use(proxy.url);
    for (const scheme of ["https", "http"]) {
      expect(await call(clientOf(`${scheme}://gnss.example.invalid`))).toMatchObject({ kind: "proxy" });
    }
    expect(proxy.heads[0]).toMatch(/^CONNECT gnss\.example\.invalid:443 /);
    // The proxy that opens the tunnel must not receive the key.
    expect(proxy.heads[0]).not.toMatch(/x-api-key/i);
  });

  test("of the system is used without variables, and looked up again for each request", async () => {
    for (const name of NAMES) delete process.env[name];
    const proxy = await rawServer((socket) => socket.end("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"));
    const origins: string[] = [];
    const transport = createTransport({
      async proxyFor(origin) {
        origins.push(origin);
        return proxy.url;
      },
    });
    const client = createClient({
      baseUrl: "https://gnss.example.invalid",
      apiKey: () => "k",
      transport: transport.send,
    });
    for (let times = 0; times < 2; times++) expect(await call(client)).toMatchObject({ kind: "proxy" });
    expect(origins).toStrictEqual(["https://gnss.example.invalid", "https://gnss.example.invalid"]);
    expect(proxy.heads[0]).toMatch(/^CONNECT gnss\.example\.invalid:443 /);
    use("http://127.0.0.1:1");
    await call(client);
    expect(origins).toHaveLength(2);
    await transport.close();
  });

  test("of the connection is used instead of the environment's, or none at all", async () => {
    const own = await rawServer((socket) => socket.end("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"));
    const other = await rawServer((socket) => socket.end("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"));
    use(other.url);
    expect(await throughProxy(own.url)).toMatchObject({ kind: "proxy" });
    expect(own.heads[0]).toMatch(/^CONNECT gnss\.example\.invalid:443 /);
    expect(await throughProxy("none")).toMatchObject({
      kind: "network",
      message: expect.not.stringContaining("proxy"),
    });
    expect(other.heads).toStrictEqual([]);
    expect((await throughProxy("http://127.0.0.1:1"))?.message).toContain("--proxy of the connection");
  });

  test("of type SOCKS 5 is used, resolves the name and does not see the key", async () => {
    for (const name of NAMES) delete process.env[name];
    const keys: unknown[] = [];
    const server = await httpServer((request, response) => {
      keys.push(request.headers["x-api-key"]);
      response.end(EMPTY);
    });
    const proxy = await socksProxy(Number(new URL(server.url).port));
    const transport = createTransport({ proxyFor: async () => proxy.url });
    const client = createClient({
      baseUrl: "http://gnss.example.invalid",
      apiKey: () => "secret-key",
      transport: transport.send,
    });
    expect(await call(client)).toBeNull();
    expect(keys).toStrictEqual(["secret-key"]);
    expect(proxy.targets).toStrictEqual(["gnss.example.invalid:80"]);
    expect(Buffer.concat(proxy.handshakes).toString("latin1")).not.toContain("secret-key");
    await transport.close();
    await proxy.close();
  });

  test.each([
    ["http://user:pass-word@127.0.0.1:1", "network", /^The proxy 127\.0\.0\.1:1 .* refused\. Check HTTPS_PROXY\.$/],
    ["socks5://user:pass-word@127.0.0.1:1", "network", /^The proxy 127\.0\.0\.1:1 .* refused\. Check HTTPS_PROXY\.$/],
    ["http://proxy.invalid:1", "network", /^The proxy proxy\.invalid:1 .* cannot be found .* Check HTTPS_PROXY/],
    ["user:pass-word@127.0.0.1:1", "proxy", /HTTPS_PROXY has no scheme.* http:\/\/USER:PASSWORD@127\.0\.0\.1:1\.$/],
    ["127.0.0.1:1", "proxy", /HTTPS_PROXY has no scheme.* http:\/\/127\.0\.0\.1:1\.$/],
    ["socks4://user:pass-word@127.0.0.1:1", "proxy", /^HTTPS_PROXY .* type socks4, which is not supported\. /],
    ["http://user:pass/word@127.0.0.1:1", "proxy", /^HTTPS_PROXY is not the address of a proxy\. .*percent-encoded/],
    ["not a proxy", "proxy", /^HTTPS_PROXY is not the address of a proxy\. Write it as http:\/\/proxy/],
  ])("with the address %s is named in the message, without its password", async (url, kind, message) => {
    use(url);
    const error = await call(clientOf("https://gnss.example.invalid"));
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message), isUnsent: true });
    expect(serviceFault(error!).kind).toBe(kind === "proxy" ? "usage" : "network");
    expect(JSON.stringify(error)).not.toMatch(/pass.word/);
  });

  test("that closes the connection is named in the message", async () => {
    const proxy = await rawServer((socket) => socket.destroy());
    use(proxy.url);
    for (const scheme of ["https", "http"]) {
      const error = await call(clientOf(`${scheme}://gnss.example.invalid`));
      expect(error?.message).toContain(`proxy ${proxy.host}`);
      expect(error?.message).toContain(`${scheme.toUpperCase()}_PROXY`);
    }
  });

  test("is not used for the hosts in NO_PROXY", () => {
    for (const list of [
      "*",
      "a.example.org",
      ".example.org",
      "x, EXAMPLE.org.",
      "*.example.org:443",
      "[::1]:1 example.org",
    ])
      expect([list, isProxied("https://a.example.org", list)]).toEqual([list, false]);
    for (const list of ["", "b.example.org", "ample.org", "a.example.org:8443", "*.a.example.org", "[::1]"])
      expect([list, isProxied("https://a.example.org", list)]).toEqual([list, true]);
    expect(isProxied("https://[2001:db8::1]:8443", "[2001:db8::1]:8443")).toBe(false);
    expect(isProxied("https://[2001:db8::1]", "2001:db8::1")).toBe(false);
    expect(environmentProxy(new URL("https://a"), { HTTP_PROXY: "http://p:1" })?.variable).toBe("HTTP_PROXY");
    expect(environmentProxy(new URL("https://a"), { https_proxy: "http://p:1", HTTPS_PROXY: "x" })?.variable).toBe(
      "https_proxy",
    );
    expect(environmentProxy(new URL("http://a"), { HTTPS_PROXY: "http://p:1" })).toBeNull();
  });

  test("is not used for this computer", async () => {
    const proxy = await rawServer((socket) => socket.end("HTTP/1.1 502 Bad\r\nContent-Length: 0\r\n\r\n"));
    const server = await httpServer((_, response) => response.end(EMPTY));
    use(proxy.url);
    expect(await call(clientOf(server.url))).toBeNull();
    expect(proxy.heads).toStrictEqual([]);
  });
});
