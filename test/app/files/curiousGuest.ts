import { readFileSync, writeFileSync } from "node:fs";

// A guest that tries what a parser under the control of a file could try.

function tried(work: () => unknown): string {
  try {
    return String(work());
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code ?? String(thrown);
  }
}
process.once("message", (path: string) => {
  process.send?.({
    variables: Object.keys(process.env).filter((name) => name !== "NODE_CHANNEL_FD"),
    read: tried(() => readFileSync(path, "utf8")),
    environment: tried(() => readFileSync("/proc/self/environ", "utf8")),
    written: tried(() => writeFileSync(`${path}.new`, "")),
  });
});
