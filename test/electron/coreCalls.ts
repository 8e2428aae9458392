import type { Page } from "playwright-core";

/**
 * Connects a page of the desktop shell to the core, in addition to the connection of the application, for `callCore`.
 *
 * The application also receives every port, continues with the newest and closes the previous one. Calls from here also
 * use the newest port, are repeated if it is replaced, and have ids that the application does not reach.
 */
export async function connectToCore(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let port = null;
    let last = 1e9;
    const waiting = new Map();
    const send = (id) => port.postMessage({ id, ...waiting.get(id).message });
    addEventListener("message", ({ data, ports }) => {
      if (data.kind !== "zenith:port" || data.nonce !== nonce) return;
      port = ports[0];
      port.addEventListener("message", ({ data: { id, answer } }) => {
        waiting.get(id)?.resolve(answer);
        waiting.delete(id);
      });
      port.start();
      for (const id of waiting.keys()) send(id);
      resolve();
    });
    window.callCore = (call, input) => new Promise((resolve) => {
      waiting.set(++last, { message: { call, input }, resolve });
      send(last);
    });
    const nonce = zenithShell.requestCore();
  })`);
}

/** Calls the bridge of the core and returns its response. */
export function callCore(page: Page, call: string, input: object): Promise<unknown> {
  return page.evaluate(`callCore(${JSON.stringify(call)}, ${JSON.stringify(input)})`);
}
