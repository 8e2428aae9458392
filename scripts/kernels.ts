// Compiles the kernels: inner loops in AssemblyScript (`*.as.ts`), each into the `binary.ts` beside it.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { tool } from "./tools.ts";

const root = join(import.meta.dirname, "..");

/** The sources of all kernels, from the root of the project. */
export function kernelSources(): string[] {
  return globSync("src/**/kernel/*.as.ts", { cwd: root });
}

/** Where the compiled form of a kernel is kept: with the sources, so that nothing has to be built before it runs. */
export function binaryPathOf(source: string): string {
  return join(root, dirname(source), "binary.ts");
}

/**
 * The text of the `binary.ts` that belongs to a source.
 *
 * @throws with what the compiler said
 */
export function compileKernel(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), "zenith-kernel-"));
  try {
    const compiled = join(folder, "kernel.wasm");
    // No runtime of its own: a kernel works in memory that others lay out, and calls nobody when it ends.
    const flags = ["-O3", "--noAssert", "--runtime", "stub", "--use", "abort=", "--enable", "simd"];
    const args = [tool("assemblyscript", "asc"), source, "--outFile", compiled, ...flags];
    const done = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`${source} does not compile.\n${done.stdout}${done.stderr}`);
    const text = readFileSync(compiled).toString("base64");
    return `// Made from ${basename(source)} by \`npm run kernels\`.\n\n/** WebAssembly as base64. */\nexport const BINARY =\n  "${text}";\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  for (const source of kernelSources()) writeFileSync(binaryPathOf(source), compileKernel(source));
}
