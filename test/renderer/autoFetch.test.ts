import { expect, it, vi } from "vitest";
import type { ToWindow } from "#shared/bridge/transport/protocol.ts";
import { attach, emit } from "#renderer/bridge/index.ts";
import { AUTO_FETCH, followAutoFetch } from "#renderer/stores/autoFetch.ts";
import { useConnection } from "#renderer/stores/connection.ts";
import { useWorkspace } from "#renderer/stores/workspace.ts";

it("continues after a download that had ended when its start was reported, or with the core", async () => {
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
  let respond: ((message: ToWindow) => void) | null = null;
  /** States in which the next jobs are reported by their starts. */
  const states = ["finished", "running", "running"];
  const calls: string[] = [];
  attach({
    send(message) {
      if (!("call" in message)) return;
      calls.push(message.call);
      const job = { id: `${calls.length}`, state: states[0], verdictCounts: null };
      const value = message.call === "jobs.start" ? (states.shift(), job) : { pointsToFetch: 1 };
      queueMicrotask(() => respond?.({ id: message.id, answer: { ok: true, value } }));
    },
    onMessage: (listener) => void (respond = listener),
    onClose() {},
    close() {},
  });
  useConnection.setState({ current: { info: { id: "a", kind: "service" } } as never });
  useWorkspace.setState({ stationIds: ["s"], moving: { start: "now-1d", end: "now" } });
  const stop = followAutoFetch();
  const started = () => calls.filter((call) => call === "jobs.start").length;
  // Another interval fetches at once, unless the last download is still under way.
  const fetchNow = async (minutes: 0 | 1 | 5): Promise<number> => {
    AUTO_FETCH.set(minutes);
    await new Promise((resolve) => setTimeout(resolve, 0));
    return started();
  };
  expect(await fetchNow(1)).toBe(1);
  expect(await fetchNow(5)).toBe(2);
  expect(await fetchNow(1)).toBe(2);
  emit("coreRestarted", { reason: "killed" });
  expect(await fetchNow(5)).toBe(3);
  stop();
  vi.unstubAllGlobals();
});
