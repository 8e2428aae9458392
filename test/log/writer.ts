import { appendLine } from "#main/log/file.ts";

// A process that writes this many lines, for tests of several processes.
const [folder = "", name = "", lines = "0", maxBytes = "0"] = process.argv.slice(2);
for (let n = 0; n < Number(lines); n++)
  appendLine(folder, `${new Date().toISOString()} info  ${name}[${process.pid}] ${n} ${"x".repeat(n % 300)} end`, {
    maxBytes: Number(maxBytes),
  });
