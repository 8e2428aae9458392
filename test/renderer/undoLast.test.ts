import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ToWindow, WindowChannel } from "#shared/bridge/transport/protocol.ts";
import { attach, emit } from "#renderer/bridge/index.ts";
import { followConnections, removeConnection, useConnection } from "#renderer/stores/connection.ts";
import { deleteGroup, saveGroup } from "#renderer/stores/groups.ts";
import { deleteSchedule } from "#renderer/stores/schedules.ts";
import { useSettings } from "#renderer/stores/settings.ts";
import { closeToast, showToast, useToasts } from "#renderer/stores/toasts.ts";
import { clearSteps, pushStep, redo, removeStep, undo, useUndoStack } from "#renderer/stores/undoStack.ts";

// A removal becomes final when the window is left.
vi.stubGlobal("addEventListener", () => {});
beforeEach(clearSteps);

const shown = (): readonly string[] => useToasts.getState().toasts.map(({ text }) => text);

it("Undo runs the undo actions of messages, the newest first, and no other actions", () => {
  const done: string[] = [];
  const action = (label: string, name: string) => ({ label, run: () => void done.push(name) });
  showToast("One", action("Undo", "one"), "fault");
  showToast("Two", action("Undo", "two"), "fault");
  showToast("Three", action("Show files", "three"), "fault");
  undo();
  undo();
  undo();
  expect(done).toEqual(["two", "one"]);
  expect(useToasts.getState().toasts.map(({ text }) => text)).toEqual(["Three"]);
});

it("an action cannot be undone after its message was closed", () => {
  const done: string[] = [];
  showToast("Gone", { label: "Undo", run: () => void done.push("gone") }, "fault");
  closeToast(useToasts.getState().toasts.at(-1)!.id);
  undo();
  expect([done, useUndoStack.getState().done]).toEqual([[], []]);
});

it("faults and offers stay, however many notes follow; of notes, the newest is shown", () => {
  for (const { id } of useToasts.getState().toasts) closeToast(id);
  showToast("empty.csv: This file is empty.", null, "fault");
  showToast("“Coast” was deleted.", { label: "Undo", run() {} });
  for (let i = 0; i < 10; i++) showToast(`Note ${i}`);
  expect(shown()).toEqual(["empty.csv: This file is empty.", "“Coast” was deleted.", "Note 9"]);
});

describe("steps", () => {
  it("are undone and redone in order, and a new step discards undone ones", () => {
    const actions: string[] = [];
    const step = (name: string) => ({
      undo: () => void actions.push(`undo ${name}`),
      redo: () => void actions.push(`redo ${name}`),
    });
    const [a, b, c] = ["a", "b", "c"].map(step);
    pushStep(a!);
    pushStep(b!);
    undo();
    undo();
    redo();
    redo();
    undo();
    pushStep(c!);
    redo();
    removeStep(a!);
    undo();
    undo();
    expect(actions).toEqual(["undo b", "undo a", "redo a", "redo b", "undo b", "undo c"]);
  });
});

describe("a removal that can be undone", () => {
  const aurora = { id: "a", name: "Aurora", kind: "service" } as never;

  /** A core with one connection. @returns the calls it received */
  function coreWithAurora(): string[] {
    const calls: string[] = [];
    let respond: ((message: ToWindow) => void) | null = null;
    const channel: WindowChannel = {
      send(message) {
        if (!("call" in message)) return;
        calls.push(message.call);
        const isListed = message.call === "connections.list" && !calls.includes("connections.remove");
        respond?.({ id: message.id, answer: { ok: true, value: isListed ? [aurora] : [] } });
      },
      onMessage: (listener) => void (respond = listener),
      onClose() {},
      close() {},
    };
    attach(channel);
    for (const { id } of useToasts.getState().toasts) closeToast(id);
    return calls;
  }

  it("is announced as such until it is final", async () => {
    const calls = coreWithAurora();
    removeConnection(aurora);
    expect(shown()).toEqual(["“Aurora” will be removed, with its key, jobs and everything cached from it."]);
    deleteSchedule({ id: "s", schedule: { name: "Daily" } } as never);
    expect(shown().at(-1)).toBe("The schedule “Daily” will be deleted.");
    expect(calls).toEqual([]);
    for (const { id } of useToasts.getState().toasts) closeToast(id);
    await expect.poll(() => calls).toEqual(expect.arrayContaining(["connections.remove", "schedules.remove"]));
    expect(shown()).toEqual([]);
  });

  it("of a connection is reported in another window that shows it, once it is final", async () => {
    const calls = coreWithAurora();
    followConnections();
    useConnection.setState({ current: { info: aurora } as never });
    emit("connectionsChanged", null);
    await expect.poll(() => useConnection.getState().all).toEqual([aurora]);
    expect(shown()).toEqual([]);
    calls.push("connections.remove");
    emit("connectionsChanged", null);
    await expect.poll(shown).toEqual(["“Aurora” was removed in another window or by a command."]);
    expect(useConnection.getState().current).toBeNull();
  });
});

const groups = () => useSettings.getState().settings.stationGroups;
const connect = (id: string): void => useConnection.setState({ current: { info: { id } } as never });

it("a change that could not be saved is shown as it is saved", async () => {
  const { settings } = useSettings.getState();
  let respond: ((message: ToWindow) => void) | null = null;
  const fault = { kind: "disk", message: "The disk is full.", cause: null };
  attach({
    send(message) {
      if (!("call" in message)) return;
      const isRead = message.call === "settings.read";
      respond?.({ id: message.id, answer: isRead ? { ok: true, value: settings } : { ok: false, error: fault } });
    },
    onMessage: (listener) => void (respond = listener),
    onClose() {},
    close() {},
  });
  const { theme } = settings;
  await useSettings.getState().change({ theme: theme === "dark" ? "light" : "dark" });
  expect(useSettings.getState().settings.theme).toBe(theme);
});

describe("Undo of a deleted group", () => {
  const coast = { connectionId: "a", name: "Coast", stationIds: ["1", "2"] };

  beforeEach(() => {
    attach({ send() {}, onMessage() {}, onClose() {}, close() {} });
    for (const { id } of useToasts.getState().toasts) closeToast(id);
    useSettings.setState((s) => ({ settings: { ...s.settings, stationGroups: [coast] } }));
    connect("a");
    deleteGroup(coast);
  });

  it("restores it for its connection, whichever connection is open", () => {
    expect(groups()).toEqual([]);
    connect("b");
    undo();
    expect(groups()).toEqual([coast]);
  });

  it("brings back the group that another one replaced", () => {
    undo();
    saveGroup("coast", ["3"]);
    expect(groups()).toEqual([{ connectionId: "a", name: "coast", stationIds: ["3"] }]);
    undo();
    expect(groups()).toEqual([coast]);
  });

  it("keeps a group that was saved under its name since", () => {
    saveGroup("coast", ["3"]);
    undo();
    expect(groups()).toEqual([{ connectionId: "a", name: "coast", stationIds: ["3"] }]);
    expect(shown().at(-1)).toBe("The group “Coast” was changed since, so the earlier one was not restored.");
  });
});
