import { defined } from "#shared/defined.ts";
import { choice, command, ensureAllDeclared, required } from "../command.ts";
import { completionScript, SHELLS } from "../completion/scripts.ts";
import { commandWords } from "../completion/words.ts";

export const addCompletion = command({
  description:
    "Prints a script for a shell, which then completes commands, options and their values when you press Tab. The packages " +
    "for Linux install it.",
  words: { "<shell>": required(choice("the shell", SHELLS)) },
  examples: [
    ["completion bash >> ~/.bashrc", "for bash"],
    ["completion zsh > ~/.zfunc/_zenith", "for zsh, in a folder of fpath"],
    ["completion fish > ~/.config/fish/completions/zenith.fish", "for fish"],
    ["completion powershell >> $PROFILE", "for PowerShell"],
  ],
  async run({ output }, { shell }, { parent }) {
    const program = defined(parent);
    await ensureAllDeclared(program);
    const script = completionScript(shell, commandWords(program));
    output.document("completion", { shell, script });
    output.text(script.trimEnd());
  },
});
