import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { onEnter } from "#main/cli/terminal/prompt.ts";

it("onEnter calls back for each Enter at the terminal after any text, until it is stopped", async () => {
  const stdin = new PassThrough();
  let pressed = 0;
  const stop = onEnter(() => pressed++, stdin);
  for (const typed of ["\n", "a", "words\n"]) stdin.write(typed);
  await expect.poll(() => pressed).toBe(2);
  stop();
  stdin.write("\n");
  expect(stdin.isPaused()).toBe(true);
  expect(pressed).toBe(2);
});
