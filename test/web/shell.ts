import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  LINK_MARK,
  SECRET_PROTOCOL_START,
  type ShellCall,
  SHELL_PATH,
  SOCKET_PROTOCOL,
} from "#shared/bridge/transport/webShell.ts";
import { WebSocket as RawSocket } from "ws";
import { BUILT } from "#main/web/built.ts";
import { startWebShell, type WebShell, type WebShellOptions } from "#main/web/index.ts";
import { builtApp } from "../support/build.ts";

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface TestShell {
  readonly shell: WebShell;
  readonly folder: string;
  readonly port: number;
  readonly host: string;
  /** The token of a new link. */
  newToken(): string;
  /** The secret that a new link is exchanged for. */
  secret(): Promise<string>;
  /** Calls the shell like its page. */
  call(call: ShellCall, secret: string, query?: string, headers?: RequestOptions["headers"]): Promise<TestResponse>;
  /** Sends a request without normalizing the path. */
  request(path: string, options?: RequestOptions): Promise<TestResponse>;
  /** Opens a WebSocket; returns `open`, or the status of the rejection. */
  tryUpgrade(
    protocols: readonly string[],
    headers: Readonly<Record<string, string>>,
    path?: string,
  ): Promise<"open" | number>;
  /** Opens a socket like the page. */
  socket(secret?: string): Promise<RawSocket>;
  /** The same with a standard WebSocket, for code of the page. */
  pageSocket(secret: string): WebSocket;
  close(): Promise<void>;
}

/** Opens a web shell in this process with a separate data folder and page; the built core starts in half the time. */
export async function openTestShell(options: Partial<WebShellOptions> = {}): Promise<TestShell> {
  const folder = mkdtempSync(join(tmpdir(), "zenith-web-"));
  const pageFolder = join(folder, "page");
  mkdirSync(join(pageFolder, "assets"), { recursive: true });
  writeFileSync(join(pageFolder, "index.html"), "<!doctype html><title>Zenith Desk</title><p>the page");
  writeFileSync(join(pageFolder, "assets", "index-1a2b3c.js"), "export {};");
  writeFileSync(join(folder, "secret.txt"), "outside of the page");
  builtApp();
  const { coreFile } = BUILT;
  const shell = await startWebShell({ dataFolder: join(folder, "data"), pageFolder, coreFile, port: 0, ...options });
  const { host, port, origin } = new URL(shell.origin);
  const newToken = (): string => shell.newLink().split(LINK_MARK)[1] ?? "";

  const send: TestShell["request"] = (path, { method = "GET", headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const sent = Object.entries({ host, ...headers }).filter((h): h is [string, string] => h[1] !== undefined);
      const outgoing = request(
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
      outgoing.on("error", reject).end();
    });
  const call: TestShell["call"] = (name, given, query = "", headers = {}) =>
    send(`${SHELL_PATH}${name}${query}`, {
      method: "POST",
      headers: { origin, authorization: `Bearer ${given}`, ...headers },
    });
  const secret = async (): Promise<string> => (await call("sign-in", newToken())).body.trim();
  const open = (protocols: readonly string[], headers: Readonly<Record<string, string>>, path = "/bridge"): RawSocket =>
    new RawSocket(`ws://127.0.0.1:${port}${path}`, [...protocols], { headers: { host, ...headers } });

  return {
    shell,
    folder,
    port: Number(port),
    host,
    newToken,
    secret,
    call,
    request: send,
    tryUpgrade: (protocols, headers, path) =>
      new Promise((resolve) => {
        const socket = open(protocols, headers, path);
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
    async socket(given) {
      const socket = open([SOCKET_PROTOCOL, SECRET_PROTOCOL_START + (given ?? (await secret()))], { origin });
      socket.binaryType = "arraybuffer";
      await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
      return socket;
    },
    pageSocket: (given) => {
      const protocols = [SOCKET_PROTOCOL, SECRET_PROTOCOL_START + given];
      // The WebSocket of Node accepts headers, which are needed for the origin that a page would send.
      return new WebSocket(`ws://${host}/bridge`, { protocols, headers: { origin } } as never);
    },
    async close() {
      await shell.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
