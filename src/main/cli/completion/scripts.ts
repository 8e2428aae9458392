import type { CommandWords, Word } from "./words.ts";

/** Shells that complete the words of a command. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type CompletionShell = (typeof SHELLS)[number];

/**
 * A script that completes commands, options and values of options; elsewhere, shells complete names of files. All of them
 * walk the words before the cursor as far as they name commands, and look up what may follow.
 */
export function completionScript(shell: CompletionShell, all: readonly CommandWords[]): string {
  return WRITERS[shell](all);
}

const WRITERS: Readonly<Record<CompletionShell, (all: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

const HEAD = "# Completes the words of zenith. Written by 'zenith completion'.";

/** A word for all these shells. Control characters are not in our texts. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}

function pathsOf(all: readonly CommandWords[]): string[] {
  return all.filter(({ path }) => path !== "").map(({ path }) => shellQuoted(path));
}

/** Path and option, and the values that may follow them. */
function optionValues(all: readonly CommandWords[]): (readonly [key: string, values: readonly string[]])[] {
  return all.flatMap(({ path, values }) =>
    Object.entries(values).map(([option, list]) => [shellQuoted(`${path} ${option}`), list] as const),
  );
}

function joinedWords(words: readonly Word[]): string {
  return shellQuoted(words.map(({ word }) => word).join(" "));
}

function bashScript(all: readonly CommandWords[]): string {
  return `${HEAD}
_zenith() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} at="" i words="" options=""
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${pathsOf(all).join(" | ")}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${all.map(({ path, commands, options }) => `    ${shellQuoted(path)}) words=${joinedWords(commands)} options=${joinedWords(options)} ;;`).join("\n")}
  esac
  [[ $current == -* ]] && words=$options
  case "$at $previous" in
${optionValues(all)
  .map(([key, values]) => `    ${key}) words=${shellQuoted(values.join(" "))} ;;`)
  .join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _zenith zenith
`;
}

/** An array of zsh with descriptions. */
function array(words: readonly Word[]): string {
  return `(${words.map(({ word, about }) => shellQuoted(`${word}:${about.replaceAll(":", "\\:")}`)).join(" ")})`;
}

function zshScript(all: readonly CommandWords[]): string {
  return `#compdef zenith
${HEAD}
_zenith() {
  local at="" i
  local -a commands options values
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      (${pathsOf(all).join("|")}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at" in
${all.map(({ path, commands, options }) => `    (${shellQuoted(path)}) commands=${array(commands)} options=${array(options)} ;;`).join("\n")}
  esac
  case "$at \${words[CURRENT-1]}" in
${optionValues(all)
  .map(([key, values]) => `    (${key}) values=(${values.map(shellQuoted).join(" ")}) ;;`)
  .join("\n")}
  esac
  if (( $#values )); then compadd -a values
  elif [[ $PREFIX == -* ]]; then _describe option options
  elif (( $#commands )); then _describe command commands
  else _files
  fi
}
if [ "$funcstack[1]" = "_zenith" ]; then _zenith "$@"; else compdef _zenith zenith; fi
`;
}

function fishScript(all: readonly CommandWords[]): string {
  const lines = all.flatMap(({ path, commands, options, values }) => {
    const where = `complete -c zenith -n "__zenith_at ${shellQuoted(path)}"`;
    return [
      ...commands.map(({ word, about }) => `${where} -f -a ${shellQuoted(word)} -d ${shellQuoted(about)}`),
      ...options.map(({ word, about }) => {
        const list = values[word];
        return `${where} -l ${word.slice(2)} -d ${shellQuoted(about)}${list ? ` -x -a ${shellQuoted(list.join(" "))}` : ""}`;
      }),
    ];
  });
  return `${HEAD}
function __zenith_at
  set -l at ""
  for word in (commandline -opc)[2..-1]
    if contains -- "$at $word" ${pathsOf(all).join(" ")}
      set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/**
 * An array of PowerShell, each text a word and what it is about. Not pairs in arrays: an array of a single one is flattened,
 * and nothing would be offered.
 */
function arrayLines(words: readonly Word[]): string {
  return `@(${words.map(({ word, about }) => literal(`${word} ${about === "" ? word : about}`)).join(", ")})`;
}

/** A text of PowerShell, which also ends texts at typographic quotes, and reads files without a mark in the system's encoding. */
function literal(text: string): string {
  const plain = text.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"').replaceAll("–", "-").replaceAll("…", "...");
  return `'${plain.replaceAll("'", "''")}'`;
}

function powershellScript(all: readonly CommandWords[]): string {
  return `${HEAD}
Register-ArgumentCompleter -Native -CommandName 'zenith', 'zenith.cmd' -ScriptBlock {
  param($current, $ast, $cursor)
  $commands = @{
${all.map(({ path, commands }) => `    ${shellQuoted(path)} = ${arrayLines(commands)}`).join("\n")}
  }
  $options = @{
${all.map(({ path, options }) => `    ${shellQuoted(path)} = ${arrayLines(options)}`).join("\n")}
  }
  $values = @{
${optionValues(all)
  .map(([key, list]) => `    ${key} = ${arrayLines(list.map((word) => ({ word, about: word })))}`)
  .join("\n")}
  }
  $at = ''
  $previous = ''
  foreach ($element in ($ast.CommandElements | Select-Object -Skip 1)) {
    $word = $element.Extent.Text
    if ($element.Extent.EndOffset -ge $cursor -and $word -eq $current) { break }
    if ($commands.ContainsKey("$at $word")) { $at = "$at $word" }
    $previous = $word
  }
  $words = if ($values.ContainsKey("$at $previous")) { $values["$at $previous"] }
    elseif ($current.StartsWith('-')) { $options[$at] }
    else { $commands[$at] }
  foreach ($line in $words) {
    $word, $about = $line -split ' ', 2
    if ($word.StartsWith($current)) {
      [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
    }
  }
}
`;
}
