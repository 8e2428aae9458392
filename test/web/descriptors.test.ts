import { spawn } from "node:child_process";
import { scratchFolder } from "../support/folder.ts";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pack } from "#shared/bridge/transport/pack.ts";
import { SECRET_PROTOCOL_START, SOCKET_PROTOCOL } from "#shared/bridge/transport/webShell.ts";
import { WebSocket as RawSocket } from "ws";
import { builtApp } from "../support/build.ts";
import { WINDOWS_LACKS } from "../support/needs.ts";

const PROGRAM = join(import.meta.dirname, "..", "e2e", "harness", "webShellProcess.ts");

it(
  "a web shell with more unauthenticated connections than allowed open files admits a window and opens its databases",
  { timeout: 60_000 },
  async ({ skip }) => {
    if (WINDOWS_LACKS !== null) skip(WINDOWS_LACKS);
    builtApp();
    const folder = scratchFolder();
    const child = spawn(
      "sh",
      ["-c", 'ulimit -n 256; exec "$0" --disable-warning=ExperimentalWarning "$@"', process.execPath, PROGRAM, folder],
      { stdio: ["ignore", "ignore", "inherit", "ipc"], env: { ...process.env, NODE_OPTIONS: "" } },
    );
    const [{ link, origin }] = (await once(child, "message")) as [{ link: string; origin: string }];
    const unauthenticated: Socket[] = [];
    for (let i = 0; i < 400; i++) {
      const socket = connect(Number(new URL(origin).port), "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nX: "));
      socket.on("error", () => {});
      unauthenticated.push(socket);
      await once(socket, "connect");
    }
    const headers = { origin, authorization: `Bearer ${link.split("#link=")[1]}` };
    const secret = (await (await fetch(`${origin}/shell/sign-in`, { method: "POST", headers })).text()).trim();
    const address = `${origin.replace("http", "ws")}/bridge`;
    const window = new RawSocket(address, [SOCKET_PROTOCOL, SECRET_PROTOCOL_START + secret], { headers: { origin } });
    await once(window, "open");
    const response = new Promise<string>((resolve) => {
      window.on("message", (data: Buffer) => data.includes('"id":1') && resolve(data.toString("latin1")));
    });
    window.send(pack({ id: 1, call: "connections.demo", input: {} }));
    expect(await response).toContain('"ok":true');
    for (const socket of unauthenticated) socket.destroy();
    window.terminate();
    const gone = once(child, "exit");
    child.send("close");
    expect(await gone).toEqual([0, null]);
  },
);
