import { existsSync } from "node:fs";

const PATIENCE_MS = 30_000;

/** Waits until a file has its final name, which it gets when it is complete. */
export async function written(path: string): Promise<void> {
  const endMs = Date.now() + PATIENCE_MS;
  while (!existsSync(path)) {
    if (Date.now() > endMs) throw new Error(`${path} was not written in time.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
