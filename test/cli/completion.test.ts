import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeCommandFiles } from "../../scripts/commandFiles.ts";
import { createWholeProgram } from "#main/cli/program.ts";
import { scratchFolder } from "../support/folder.ts";

const folder = scratchFolder();
await writeCommandFiles(folder);

function has(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

/** Loads a script in a shell and prints the words that it offers for the last of these, each in a line. */
const SHELLS = {
  bash: {
    file: "bash-completion/completions/zenith",
    offer: (script: string, words: readonly string[]) =>
      `source '${script}'; COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _zenith; printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  zsh: {
    file: "zsh/site-functions/_zenith",
    // Stand-ins for the functions of the completion system, which needs a terminal.
    offer: (script: string, words: readonly string[]) =>
      `compdef() {}; _describe() { print -l -- \${(P)2%%:*} }; compadd() { print -l -- \${(P)2} }; _files() {}; source '${script}'; ` +
      `words=(${words.join(" ")}); CURRENT=${words.length}; PREFIX=${words.at(-1)}; _zenith | grep -- ^${words.at(-1)}`,
  },
  fish: {
    file: "fish/vendor_completions.d/zenith.fish",
    offer: (script: string, words: readonly string[]) =>
      `source '${script}'; complete -C "${words.map((word) => (word === "''" ? "" : word)).join(" ")}" | string split -f1 \\t`,
  },
  // Not in Debian; the runners of the workflows have it.
  pwsh: {
    file: "zenith/zenith.ps1",
    offer: (script: string, words: readonly string[]) =>
      `. '${script}'; $line = '${words.join(" ")}'; (TabExpansion2 $line $line.Length).CompletionMatches.CompletionText`,
  },
} as const;

describe.each(Object.keys(SHELLS) as (keyof typeof SHELLS)[])("completion in %s", (shell) => {
  function offered(...words: string[]): string[] {
    const { file, offer } = SHELLS[shell];
    const { stdout, stderr } = spawnSync(shell, ["-c", offer(join(folder, file), words)], { encoding: "utf8" });
    expect(stderr).toBe("");
    return stdout.trim().split("\n");
  }

  it("offers commands, their options, and values of options", (context) => {
    context.skip(!has(shell), `${shell} is not installed.`);
    expect(offered("zenith", "fe")).toEqual(["fetch"]);
    expect(offered("zenith", "--json", "schedule", "hist")).toEqual(["history"]);
    expect(offered("zenith", "schedule", "add", "X", "--complete")).toEqual(["--complete-below"]);
    expect(offered("zenith", "fetch", "--data")).toEqual(["--data-folder"]);
    expect(offered("zenith", "export", "Kallio", "--format", "net").toSorted()).toEqual(["netcdf", "netcdf3"]);
    expect(offered("zenith", "figure", "--theme", "d")).toEqual(["dark"]);
  });
});

it("the script for PowerShell is ASCII, because a profile without a mark is read in the system's encoding", () => {
  const script = readFileSync(join(folder, SHELLS.pwsh.file), "utf8");
  expect(script.match(/[^\p{ASCII}]./gu) ?? []).toEqual([]);
});

describe("manual pages", () => {
  it("exist for the program and each command, in ASCII, with every option and example", async () => {
    const program = await createWholeProgram();
    const pages = readdirSync(join(folder, "man", "man1"));
    const commands = program.commands.filter((command) => command.name() !== "help");
    expect(pages.toSorted()).toEqual(
      ["zenith.1", ...commands.map((command) => `zenith-${command.name()}.1`)].toSorted(),
    );
    for (const command of commands) {
      const page = readFileSync(join(folder, "man", "man1", `zenith-${command.name()}.1`), "utf8");
      expect(page).toMatch(/^\p{ASCII}+$/u);
      const of = [command, ...command.commands].flatMap(({ options }) => options.map(({ long }) => long ?? ""));
      for (const option of of) expect(page).toContain(option.replaceAll("-", "\\-"));
      expect(page).toContain(`zenith ${command.name()}`);
    }
  });

  it("are read by groff without a warning", (context) => {
    context.skip(!has("groff"), "groff is not installed.");
    const paths = readdirSync(join(folder, "man", "man1")).map((name) => join(folder, "man", "man1", name));
    const { stderr, stdout } = spawnSync("groff", ["-man", "-Tutf8", "-ww", ...paths], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toContain("ZENITH-FETCH(1)");
  });
});
