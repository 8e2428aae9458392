import { raceCancellation } from "#shared/async.ts";
import { EXIT, Stop } from "../exit.ts";

/** Calls `pressed` whenever Enter is pressed in the terminal. @returns a function that stops it */
export function onEnter(pressed: () => void, stdin: NodeJS.ReadableStream = process.stdin): () => void {
  const read = (typed: Buffer): void => {
    if (typed.includes("\n")) pressed();
  };
  stdin.on("data", read);
  return () => {
    stdin.off("data", read);
    stdin.pause();
  };
}

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const CTRL_U = "\u0015";
const BACKSPACES = ["\b", "\u007f"];
// Terminals enclose pasted text in these sequences.
// oxlint-disable-next-line no-control-regex -- they begin with a control character
const PASTE_MARKS = /\u001b\[20[01]~/g;

/**
 * Prompts for a secret on the terminal. Shows nothing of it, not even its length.
 *
 * @throws Stop on Ctrl+C, Ctrl+D, the end of the input, or the signal
 */
export async function askSecret(question: string, signal: AbortSignal): Promise<string> {
  const { stdin, stderr } = process;
  // Before the prompt, so that the terminal does not echo anything.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.setEncoding("utf8");
  stdin.resume();
  let typed = "";
  try {
    const input = new Promise<string | undefined>((resolve) => {
      const cancel = (): void => resolve(undefined);
      stdin.once("end", cancel);
      stdin.on("data", (chunk: string) => {
        for (const character of chunk.replaceAll(PASTE_MARKS, "")) {
          if (character === "\r" || character === "\n") return resolve(typed);
          if (character === CTRL_C || character === CTRL_D) return cancel();
          if (character === CTRL_U) typed = "";
          else if (BACKSPACES.includes(character)) typed = typed.slice(0, -1);
          else typed += character;
        }
      });
    });
    const answer = await raceCancellation(input, signal);
    if (answer === undefined) throw new Stop(EXIT.interrupted, "No key was typed; nothing was changed.");
    return answer;
  } finally {
    stdin.removeAllListeners("data");
    stdin.removeAllListeners("end");
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}
