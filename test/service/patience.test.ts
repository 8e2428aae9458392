import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RunningService } from "#service/index.ts";
import { tries } from "../support/endurance.ts";
import { get } from "./call.ts";
import { started, WORLD } from "./start.ts";
import { itNightly } from "../support/needs.ts";

const IDS = WORLD.stations.filter((s) => s.resolutionSeconds === 30 && s.firstDataMs !== null).map((s) => s.id);
/** Far more than the buffers of both ends. */
const LARGE = JSON.stringify({
  start_time: "2025-01-01T00:00:00Z",
  end_time: "2026-01-01T00:00:00Z",
  station_ids: IDS.slice(0, 10),
  data_vars: ["ztd", "ztd_sigma", "pwv"],
});
const ONE_AT_ONCE = [{ key: "key-a", name: "a", maxPoints: null, maxConcurrent: 1 }];

const REJECTED = /HTTP\/1\.1 408.*\{"error":"The body was not complete after 0\.5 seconds\."\}/s;

/** Sends the headers of a query with the length of its body, and no body. */
function begin(service: RunningService): Socket {
  const socket = connect(service.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.write(
    "POST /api/v1/measurements/query HTTP/1.1\r\nHost: service\r\nX-API-Key: key-a\r\nContent-Type: application/json\r\n" +
      `Accept: application/json\r\nContent-Length: ${LARGE.length}\r\n\r\n`,
  );
  return socket;
}

describe("slow clients", () => {
  it("slow: a body that stops or is too slow is rejected with 408 and releases its permit", async () => {
    for (const pauseMs of [null, 20]) {
      const service = await started({ organizations: ONE_AT_ONCE, bodyTimeoutMs: 500 });
      const socket = begin(service);
      socket.write(LARGE.slice(0, 10));
      let at = 10;
      const trickle = pauseMs === null ? undefined : setInterval(() => socket.write(LARGE.charAt(at++)), pauseMs);
      onTestFinished(() => clearInterval(trickle));
      await expect.poll(() => service.stats.underWay).toBe(1);
      expect((await get(service, "/networks")).status).toBe(429);
      let response = "";
      socket.setEncoding("utf8").on("data", (text: string) => (response += text));
      await new Promise((closed) => socket.on("close", closed));
      // A client that goes on sending may lose the response, because the connection is reset.
      expect(response).toMatch(pauseMs === null ? REJECTED : "");
      expect((await get(service, "/networks")).status).toBe(200);
    }
  });

  itNightly(
    "slow: clients that do not read are disconnected, except one that reads, and release their permits",
    async () => {
      const clients = tries(12, 60);
      const organizations = [{ key: "key-a", name: "a", maxPoints: null, maxConcurrent: clients }];
      const service = await started({ organizations, unreadTimeoutMs: 2_000 });
      const sockets = Array.from({ length: clients }, () => begin(service));
      for (const socket of sockets) socket.pause().write(LARGE);
      const reader = sockets[0]!;
      let bytes = 0;
      reader.on("data", (piece) => (bytes += piece.length)).resume();
      await expect.poll(() => service.stats.aborted).toBe(clients - 1);
      const before = bytes;
      await expect.poll(() => bytes).toBeGreaterThan(before);
      reader.destroy();
      await expect.poll(() => service.stats.underWay).toBe(0);
      expect((await get(service, "/networks")).status).toBe(200);
    },
  );

  it("slow: a response that takes long to begin does not close the connection", async () => {
    const service = await started({ unreadTimeoutMs: 50, faults: [{ fault: { kind: "slow", delayMs: 400 } }] });
    expect((await get(service, "/networks")).status).toBe(200);
  });
});
