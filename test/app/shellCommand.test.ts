import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { runShellCommand } from "#main/app/schedules/announce.ts";

/** A program that runs until this test closes its connection. */
async function lastingProgram() {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const started = once(server, "connection").then(([socket]: Socket[]) => socket!.on("error", () => {}));
  return { command: `"${process.execPath}" -e "require('net').connect(${port}, '127.0.0.1')"`, started };
}

const DAY = { maxMs: 86_400_000, signal: new AbortController().signal };

describe.skipIf(process.platform === "win32")("the command at the end of a run", () => {
  it("is ended when it takes too long, though its shell waits for another program", async () => {
    expect(await runShellCommand("sleep 600; echo late", process.env, { ...DAY, maxMs: 100 })).toBe(
      "ended after 0.1 s",
    );
  });

  it("is ended with all that it started when the run is stopped", async () => {
    const { command, started } = await lastingProgram();
    const stop = new AbortController();
    const answer = runShellCommand(`${command} & wait`, process.env, { ...DAY, signal: stop.signal });
    const gone = once(await started, "close");
    stop.abort();
    expect(await answer).toBe("stopped with the run");
    await gone;
  });

  it("ends with its own exit and words, and leaves in the background what it put there", async () => {
    const { command, started } = await lastingProgram();
    const answer = runShellCommand(`${command} & echo no printer >&2; exit 3`, process.env, DAY);
    expect(await answer).toBe("exit code 3: no printer");
    const socket = await started;
    const ended = once(socket, "end");
    socket.end();
    await ended;
    expect(await runShellCommand("true", process.env, DAY)).toBeNull();
  });

  it("is not started after a stop", async () => {
    expect(await runShellCommand("sleep 600", process.env, { ...DAY, signal: AbortSignal.abort() })).toBe(
      "stopped with the run",
    );
  });
});
