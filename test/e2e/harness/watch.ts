import type { BrowserContext, Page } from "playwright-core";

export interface Watch {
  /** Announces a deliberate fault: errors of the page are ignored. */
  pause(): void;
  resume(): void;
}

/** Chromium's warning when a test reads pixels; the page itself never reads its canvases. */
const IS_OF_TESTS = /readback operations using getImageData/;

/**
 * Watches all pages of a context, including later ones.
 *
 * @param problems receives uncaught errors, errors and warnings in the console (including those of the content policy),
 *   and requests to other origins
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

/** Scheme and host, also for the application's own scheme, for which `URL` has no origin. */
export function originOf(address: string): string {
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}
