import { Argument } from "commander";
import { type CompletionShell, completionScript, SHELLS } from "../completion/scripts.ts";
import { commandWords } from "../completion/words.ts";
import { type AddCommand, examples } from "./types.ts";

export const addCompletion: AddCommand = (program, run) => {
  program
    .command("completion")
    .summary("print a script that completes commands and options in a shell")
    .description(
      "Prints a script for a shell, which then completes commands, options and their values when you press Tab. The packages " +
        "for Linux install it.",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      examples(
        ["completion bash >> ~/.bashrc", "for bash"],
        ["completion zsh > ~/.zfunc/_zenith", "for zsh, in a folder of fpath"],
        ["completion fish > ~/.config/fish/completions/zenith.fish", "for fish"],
        ["completion powershell >> $PROFILE", "for PowerShell"],
      ),
    )
    .action(
      run(async ({ output }, shell: CompletionShell) => {
        const script = completionScript(shell, commandWords(program));
        output.document("completion", { shell, script });
        output.text(script.trimEnd());
      }),
    );
};
