import { openingError } from "#formats/error.ts";
import { EXIT, Stop, usage } from "./exit.ts";
import { readKeyFile, SecretError } from "../secrets.ts";

const KEY_OPTION = /^--?([a-z]+[-_])*(api-?key|key|token|secret|password)(=|$)/i;

/**
 * Refuses a key among the arguments, before any other code could print it.
 *
 * @throws Stop
 */
export function refuseKeyArgument(args: readonly string[]): void {
  if (!args.some((a) => KEY_OPTION.test(a))) return;
  throw usage(
    "An API key is never given as an argument: every user of this computer could read it in the list of processes, and " +
      "the shell would write it into its history. Set the environment variable ZENITH_API_KEY, name a file of mode 0600 " +
      "with --key-file FILE, or type the key when “zenith connect” asks for it. If that was a real key, replace it.",
  );
}

/** Checks that a key can be sent in a header unchanged. */
function checked(key: string, from: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Stop(EXIT.key, `The API key from ${from} contains spaces or characters that no key has: check it.`);
}

/**
 * The key of this run: from `--key-file`, else from ZENITH_API_KEY; null if neither is given.
 *
 * @throws Stop if the file is missing or empty, SecretError if others can read it
 */
export async function givenKey(
  keyFile: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | null> {
  if (keyFile !== undefined) {
    const key = await readKeyFile(keyFile).catch((reason: unknown) => {
      if (reason instanceof SecretError) throw reason;
      throw new Stop(EXIT.key, `The API key cannot be read. ${openingError(reason, keyFile).message}`, reason);
    });
    if (key === null) throw new Stop(EXIT.key, `${keyFile} contains no API key: the file is missing or empty.`);
    return checked(key, keyFile);
  }
  const key = env["ZENITH_API_KEY"]?.trim();
  return key ? checked(key, "ZENITH_API_KEY") : null;
}

/**
 * The error for a missing key that cannot be typed.
 *
 * @param electron its version, in an installed program
 */
export function missingKey(system = process.platform, electron = process.versions["electron"]): Stop {
  // On Windows, Electron closes stdin at the start, so nothing can be typed.
  if (system === "win32" && electron !== undefined)
    return new Stop(
      EXIT.key,
      "No API key was given, and on Windows the installed program cannot ask for one. Set ZENITH_API_KEY, or name a file that holds the key with --key-file.",
    );
  return new Stop(
    EXIT.key,
    "No API key was given. Set ZENITH_API_KEY, name a file of mode 0600 with --key-file, or run the command in a terminal.",
  );
}

/** Checks a typed key. @throws Stop */
export function typedKey(text: string): string {
  if (text.trim() === "") throw new Stop(EXIT.key, "No key was typed; nothing was changed.");
  return checked(text.trim(), "the prompt");
}
