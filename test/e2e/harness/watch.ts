import type { BrowserContext, Page } from "playwright-core";

export interface Watch {
  /** Something is about to be broken on purpose: what the page says to it is no problem. */
  pause(): void;
  resume(): void;
}

/** What looking at pixels makes Chromium say; the page itself never reads its canvases back. */
const IS_OF_TESTS = /readback operations using getImageData/;

/**
 * Watches all pages of a context, those that come later too.
 *
 * @param problems gets what a page must never do: errors that nothing caught, complaints of the console (the policy's
 *   too), requests to other places than its own
 */
export function watch(context: BrowserContext, origin: string, problems: string[]): Watch {
  let isPaused = false;
  const note = (problem: string): void => {
    if (!isPaused) problems.push(problem);
  };
  const follow = (page: Page): void => {
    page.on("pageerror", (error) => note(`uncaught: ${error.stack ?? error.message}`));
    page.on("console", (message) => {
      if (IS_OF_TESTS.test(message.text())) return;
      if (message.type() === "error" || message.type() === "warning") note(`${message.type()}: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (originOf(url) !== origin && !/^(data|blob):/.test(url)) note(`request to ${url}`);
    });
  };
  for (const page of context.pages()) follow(page);
  context.on("page", follow);
  return {
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
    },
  };
}

/** Scheme and host; of the application's own scheme too, for which `URL` knows no origin. */
export function originOf(address: string): string {
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}
