import type { Page } from "playwright-core";

/**
 * Opens a way from a page of the desktop shell to the core, beside the application's own: `askCore` speaks through it.
 *
 * The application hears of every port too, goes on over the newest and closes the one before. What is asked here goes over
 * the newest as well, once more where its port was replaced, and by numbers that the application does not come to.
 */
export async function openWay(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let port = null;
    let last = 1e9;
    const waiting = new Map();
    const send = (id) => port.postMessage({ id, ...waiting.get(id).asked });
    addEventListener("message", ({ data, ports }) => {
      if (data.kind !== "zenith:port" || data.nonce !== nonce) return;
      port = ports[0];
      port.addEventListener("message", ({ data: { id, answer } }) => {
        waiting.get(id)?.answered(answer);
        waiting.delete(id);
      });
      port.start();
      for (const id of waiting.keys()) send(id);
      resolve();
    });
    window.ask = (call, input) => new Promise((answered) => {
      waiting.set(++last, { asked: { call, input }, answered });
      send(last);
    });
    const nonce = zenithShell.requestCore();
  })`);
}

/** What the core answers to a call of the bridge, as it came. */
export function askCore(page: Page, call: string, input: object): Promise<unknown> {
  return page.evaluate(`ask(${JSON.stringify(call)}, ${JSON.stringify(input)})`);
}
