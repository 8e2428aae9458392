import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { startWebShell, type WebShell, type WebShellOptions } from "../../src/main/web/index.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface TestShell {
  readonly shell: WebShell;
  readonly folder: string;
  readonly port: number;
  readonly host: string;
  readonly token: string;
  /** The cookie that the token is exchanged for, as a browser sends it back. */
  cookie(): Promise<string>;
  /** Sends the path as it is written: no client in between tidies it. */
  ask(path: string, asking?: Asking): Promise<Answer>;
  /** Opens a WebSocket; its end is the status of the refusal, or `open`. */
  knock(headers: Readonly<Record<string, string>>, path?: string): Promise<"open" | number>;
  /** A socket as the page opens it. */
  socket(): Promise<WebSocket>;
  close(): Promise<void>;
}

/** A web shell on a data folder and a page of its own, in this process. */
export async function openTestShell(options: Partial<WebShellOptions> = {}): Promise<TestShell> {
  const folder = mkdtempSync(join(tmpdir(), "zenith-web-"));
  const pageFolder = join(folder, "page");
  mkdirSync(join(pageFolder, "assets"), { recursive: true });
  writeFileSync(join(pageFolder, "index.html"), "<!doctype html><title>Zenith Desk</title><p>the page");
  writeFileSync(join(pageFolder, "assets", "index-1a2b3c.js"), "export {};");
  writeFileSync(join(folder, "secret.txt"), "outside of the page");
  const shell = await startWebShell({ dataFolder: join(folder, "data"), pageFolder, port: 0, ...options });
  const { host, port } = new URL(shell.link);
  const token = new URL(shell.link).searchParams.get("token") ?? "";

  const ask: TestShell["ask"] = (path, { method = "GET", headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const sent = Object.entries({ host, ...headers }).filter((h): h is [string, string] => h[1] !== undefined);
      const asked = request(
        { host: "127.0.0.1", port, path, method, headers: Object.fromEntries(sent), setHost: false, agent: false },
        (response) => {
          let body = "";
          response.setEncoding("utf8").on("data", (text: string) => (body += text));
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(Object.entries(response.headers).map(([k, v]) => [k, String(v)])),
              body,
            }),
          );
        },
      );
      asked.on("error", reject).end();
    });
  const cookie = async (): Promise<string> => {
    const welcome = await ask(`/?token=${token}`);
    return welcome.headers["set-cookie"]?.split(";")[0] ?? "";
  };
  const open = (headers: Readonly<Record<string, string>>, path = "/bridge"): WebSocket =>
    new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { host, ...headers } });

  return {
    shell,
    folder,
    port: Number(port),
    host,
    token,
    cookie,
    ask,
    knock: (headers, path) =>
      new Promise((resolve) => {
        const socket = open(headers, path);
        socket.on("error", () => {});
        socket.on("unexpected-response", (_request, response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        socket.on("open", () => {
          socket.close();
          resolve("open");
        });
      }),
    async socket() {
      const socket = open({ cookie: await cookie(), origin: `http://${host}` });
      socket.binaryType = "arraybuffer";
      await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
      return socket;
    },
    async close() {
      await shell.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
