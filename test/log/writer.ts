import { appendLine } from "#main/log/file.ts";
import { formatLine } from "#main/log/index.ts";

// A process that writes this many lines, for tests of several processes.
const [folder = "", name = "", lines = "0", maxBytes = "0"] = process.argv.slice(2);
for (let n = 0; n < Number(lines); n++)
  appendLine(folder, formatLine(Date.now(), "info", name, `${n} ${"x".repeat(n % 300)} end`), {
    maxBytes: Number(maxBytes),
  });
