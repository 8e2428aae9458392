import type { Page } from "playwright-core";
import { pack, unpack } from "#shared/bridge/transport/pack.ts";
import type { ToCore, ToWindow } from "#shared/bridge/transport/protocol.ts";

/** Control over answers of the core to a page in a browser. */
export interface Answers {
  /** Keeps answers to a method back until the returned function is called. */
  hold(call: string): () => void;
  /** Lets a method fail with this message until the returned function is called. */
  fail(call: string, message: string): () => void;
  /** How often the page has called a method. */
  count(call: string): number;
}

/** Puts a proxy between a page and the core; the page is loaded again. */
export async function interceptAnswers(page: Page): Promise<Answers> {
  const calls = new Map<number, string>();
  const held = new Map<string, (() => void)[]>();
  const failures = new Map<string, string>();
  await page.routeWebSocket(/\/bridge$/, (window) => {
    const core = window.connectToServer();
    window.onMessage((message) => {
      const told = typeof message === "string" ? null : (unpack(Uint8Array.from(message)) as ToCore);
      if (told && "call" in told) calls.set(told.id, told.call);
      core.send(message);
    });
    core.onMessage((message) => {
      const told = typeof message === "string" ? null : (unpack(Uint8Array.from(message)) as ToWindow);
      const call = told && "id" in told ? (calls.get(told.id) ?? "") : "";
      const failure = failures.get(call);
      if (told && "id" in told && failure !== undefined) {
        const answer = { ok: false, error: { kind: "core", message: failure, cause: null } };
        return window.send(Buffer.from(pack({ id: told.id, answer })));
      }
      const waiting = held.get(call);
      if (waiting) waiting.push(() => window.send(message));
      else window.send(message);
    });
  });
  await page.reload();
  return {
    hold(call) {
      const waiting: (() => void)[] = [];
      held.set(call, waiting);
      return () => {
        held.delete(call);
        for (const send of waiting) send();
      };
    },
    fail(call, message) {
      failures.set(call, message);
      return () => failures.delete(call);
    },
    count: (call) => [...calls.values()].filter((each) => each === call).length,
  };
}
