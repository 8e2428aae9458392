import { expect, it, vi } from "vitest";
import type { ToWindow } from "#shared/bridge/transport/protocol.ts";
import { attach, emit } from "#renderer/bridge/index.ts";
import { followRefresh, REFRESH } from "#renderer/stores/autoRefresh.ts";
import { useConnection } from "#renderer/stores/connection.ts";
import { useWorkspace } from "#renderer/stores/workspace.ts";

it("continues after a refresh that had ended when its start was reported, or with the core", async () => {
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
  const stop = followRefresh();
  const started = () => calls.filter((call) => call === "jobs.start").length;
  // Another interval refreshes at once, unless the last refresh is still under way.
  const refreshNow = async (minutes: 0 | 1 | 5): Promise<number> => {
    REFRESH.set(minutes);
    await new Promise((resolve) => setTimeout(resolve, 0));
    return started();
  };
  expect(await refreshNow(1)).toBe(1);
  expect(await refreshNow(5)).toBe(2);
  expect(await refreshNow(1)).toBe(2);
  emit("engineRestarted", { reason: "killed" });
  expect(await refreshNow(5)).toBe(3);
  stop();
  vi.unstubAllGlobals();
});
