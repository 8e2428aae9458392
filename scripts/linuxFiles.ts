import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import packageJson from "../package.json" with { type: "json" };
import { manPages } from "#main/cli/completion/manPages.ts";
import { completionScript } from "#main/cli/completion/scripts.ts";
import { commandWords } from "#main/cli/completion/words.ts";
import { createWholeProgram } from "#main/cli/program.ts";
import { metainfo } from "./metainfo.ts";

const { version, author } = packageJson;

/** The Debian changelog of the package: the version, as built. */
function debianChangelog(date: Date): string {
  const when = date.toUTCString().replace("GMT", "+0000");
  return `zenith-desk (${version}) stable; urgency=medium

  * Version ${version}.

 -- ${author.name} <${author.email}>  ${when}
`;
}

/** Writes the files of deb and rpm that depend on version and date. */
export async function writeLinuxFiles(folder: string): Promise<void> {
  const now = new Date();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "metainfo.xml"), metainfo(now));
  writeFileSync(join(folder, "changelog"), debianChangelog(now));
  const program = await createWholeProgram();
  const pages = join(folder, "man");
  rmSync(pages, { recursive: true, force: true });
  mkdirSync(pages);
  for (const [name, text] of manPages(program)) writeFileSync(join(pages, `${name}.gz`), gzipSync(text, { level: 9 }));
  // The window has no options of its own.
  writeFileSync(join(pages, "zenith-desk.1.gz"), gzipSync(".so man1/zenith.1\n", { level: 9 }));
  const words = commandWords(program);
  for (const shell of ["bash", "zsh", "fish"] as const)
    writeFileSync(join(folder, `completion.${shell}`), completionScript(shell, words));
}
