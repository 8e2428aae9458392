// Compiles the kernels: inner loops in AssemblyScript (`*.as.ts`), each into the `binary.ts` beside it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { MAKERS, tool } from "./tools.ts";

const root = join(import.meta.dirname, "..");
// Without a runtime: the caller lays out a kernel's memory, and a kernel does not abort.
const FLAGS = ["-O3", "--noAssert", "--runtime", "stub", "--use", "abort=", "--enable", "simd"];

/** The sources of all kernels, relative to the project's root. */
export function kernelSources(): string[] {
  return globSync("src/**/kernel/*.as.ts", { cwd: root });
}

/** Path of a compiled kernel. It is committed with the sources, so that it can run without a build. */
export function binaryPathOf(source: string): string {
  return join(root, dirname(source), "binary.ts");
}

/**
 * Compiles a source and returns the text of its `binary.ts`.
 *
 * @throws Error with the compiler's output
 */
export function compileKernel(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), "zenith-kernel-"));
  try {
    const compiled = join(folder, "kernel.wasm");
    const args = [tool("assemblyscript", "asc", MAKERS), source, "--outFile", compiled, ...FLAGS];
    const done = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`${source} does not compile.\n${done.stdout}${done.stderr}`);
    return sealed(source, readFileSync(compiled).toString("base64"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The text of a `binary.ts` with a checksum over the source, the compiler's version, its flags and its output. After a
 * change of one of these, the kernel has to be compiled again.
 *
 * @param base64 the compiled kernel
 */
export function sealed(source: string, base64: string): string {
  const hash = createHash("sha256");
  for (const part of [readFileSync(join(root, source), "utf8"), compilerVersion(), ...FLAGS, base64])
    hash.update(part.replaceAll("\r\n", "\n")).update("\0");
  return `// Made from ${basename(source)} by \`npm run kernels\`.\n// Seal: ${hash.digest("hex")}\n\n/** WebAssembly as base64. */\nexport const BINARY =\n  "${base64}";\n`;
}

function compilerVersion(): string {
  const { dependencies } = JSON.parse(readFileSync(join(MAKERS, "package.json"), "utf8")) as {
    dependencies: { assemblyscript: string };
  };
  return dependencies.assemblyscript;
}

if (import.meta.main) {
  for (const source of kernelSources()) writeFileSync(binaryPathOf(source), compileKernel(source));
}
