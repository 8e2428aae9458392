import { expect, test, vi } from "vitest";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { channelPair } from "#shared/bridge/transport/protocol.ts";

test("a call that is cancelled before there is a core ends at once and is never sent", async () => {
  const { bridge, attach } = createBridgeClient();
  const control = new AbortController();
  const cancelled = bridge.settings.read({}, { signal: control.signal });
  const kept = bridge.jobs.list({});
  control.abort();
  expect(await cancelled).toMatchObject({ ok: false, error: { kind: "cancelled" } });
  const { window, core } = channelPair();
  const sent: string[] = [];
  core.onMessage((message) => {
    if (!("call" in message)) return;
    sent.push(message.call);
    core.send({ id: message.id, answer: { ok: true, value: [] } });
  });
  attach(window);
  expect(await kept).toEqual({ ok: true, value: [] });
  expect(sent).toEqual(["jobs.list"]);
});

test("a listener that fails keeps no event from the others, and its error is reported", () => {
  const { bridge, emit } = createBridgeClient();
  const report = vi.spyOn(globalThis, "queueMicrotask").mockImplementation(() => {});
  const heard: string[] = [];
  bridge.on("jobRemoved", () => {
    throw new Error("The first listener fails.");
  });
  bridge.on("jobRemoved", ({ jobId }) => heard.push(jobId));
  emit("jobRemoved", { jobId: "a" });
  expect(heard).toEqual(["a"]);
  expect(() => report.mock.calls[0]?.[0]()).toThrow("The first listener fails.");
  report.mockRestore();
});
