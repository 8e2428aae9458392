import { existsSync } from "node:fs";

/** Until a file stands under its final name, which it gets when it is whole; the time limit of the test ends the wait. */
export async function written(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 20));
}
