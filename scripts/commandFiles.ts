// Writes what packages install beside the command `zenith`: completions and manual pages.
// `node scripts/commandFiles.ts FOLDER`; by default in out/command.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { completionScript, type CompletionShell } from "#main/cli/completion/scripts.ts";
import { manPages } from "#main/cli/completion/manPages.ts";
import { commandWords } from "#main/cli/completion/words.ts";
import { createWholeProgram } from "#main/cli/program.ts";

/** Places below /usr/share on Linux; PowerShell has no such folder. */
const COMPLETIONS: Readonly<Record<CompletionShell, string>> = {
  bash: "bash-completion/completions/zenith",
  zsh: "zsh/site-functions/_zenith",
  fish: "fish/vendor_completions.d/zenith.fish",
  powershell: "zenith/zenith.ps1",
};

/** @returns the paths of the files below `folder` */
export async function writeCommandFiles(folder: string): Promise<string[]> {
  const program = await createWholeProgram();
  const words = commandWords(program);
  const files = [
    ...Object.entries(COMPLETIONS).map(
      ([shell, path]) => [path, completionScript(shell as CompletionShell, words)] as const,
    ),
    ...[...manPages(program)].map(([name, text]) => [join("man", "man1", name), text] as const),
  ];
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return files.map(([path]) => path);
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(import.meta.dirname, "..", "out", "command");
  console.log(`${(await writeCommandFiles(folder)).length} files in ${folder}`);
}
