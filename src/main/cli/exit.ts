import { type AppFault, codeOf } from "#shared/fault.ts";
import { asFormatError } from "#formats/error.ts";
// Not from the index, which would load SQLite even for commands that do not need it.
import { isReplaced, UPDATED } from "../program.ts";
import { SecretError } from "../secrets.ts";
import { StoreError } from "../store/errors.ts";

/** Exit codes of the program, listed by `--help`. */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  incomplete: 3,
  key: 4,
  service: 5,
  disk: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The kind of an error in JSON: the name of its exit code. */
export function exitKind(code: ExitCode): keyof typeof EXIT {
  const [kind = "unexpected"] = (Object.keys(EXIT) as (keyof typeof EXIT)[]).filter((name) => EXIT[name] === code);
  return kind;
}

export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.ok, "done"],
  [EXIT.unexpected, "an unexpected error in this program"],
  [EXIT.usage, "invalid command or options"],
  [
    EXIT.incomplete,
    "finished, but data are incomplete: not downloaded, still to arrive, forbidden, failed or damaged, or of a station that the service no longer lists",
  ],
  [EXIT.key, "the API key is missing or was refused"],
  [EXIT.service, "the service cannot be reached or used"],
  [EXIT.disk, "a file, a database or the output cannot be read or written"],
  [EXIT.interrupted, "stopped by Ctrl+C or a signal; a download can be resumed"],
];

export function exitMeaning(code: ExitCode): string {
  return EXIT_MEANINGS.find(([known]) => known === code)?.[1] ?? "";
}

/** Ends a command with a sentence for the user and an exit code. */
export class Stop extends Error {
  override readonly name = "Stop";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

export function usage(sentence: string): Stop {
  return new Stop(EXIT.usage, sentence);
}

const EXIT_OF_FAULT: Readonly<Record<AppFault["kind"], ExitCode>> = {
  usage: EXIT.usage,
  key: EXIT.key,
  network: EXIT.service,
  service: EXIT.service,
  disk: EXIT.disk,
  core: EXIT.unexpected,
  cancelled: EXIT.interrupted,
};

export function stopFor(fault: AppFault): Stop {
  return new Stop(EXIT_OF_FAULT[fault.kind], fault.message, fault.cause ?? undefined);
}

/** Error codes of the operating system for failed file access. */
const DISK_CODES =
  /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOENT|ENOTDIR|EISDIR|EEXIST|EIO|EMFILE|ENFILE|ENAMETOOLONG|EBUSY)$/;

/** Converts any error to a `Stop`. */
export function asStop(thrown: unknown, hasUpdate = isReplaced): Stop {
  if (thrown instanceof Stop) return thrown;
  const stop = stopOf(thrown);
  // Parts of a program that was replaced cannot be loaded any more.
  return stop.exitCode === EXIT.unexpected && hasUpdate() ? new Stop(EXIT.unexpected, UPDATED, thrown) : stop;
}

function stopOf(thrown: unknown): Stop {
  if (thrown instanceof StoreError) {
    return new Stop(thrown.kind === "internal" ? EXIT.unexpected : EXIT.disk, thrown.message, thrown.cause);
  }
  if (thrown instanceof SecretError) return new Stop(EXIT.key, thrown.message);
  if (!(thrown instanceof Error)) return new Stop(EXIT.unexpected, String(thrown));
  const code = codeOf(thrown);
  if (!DISK_CODES.test(code)) return new Stop(EXIT.unexpected, thrown.message, thrown);
  const path = "path" in thrown && typeof thrown.path === "string" ? thrown.path : "a file of the data folder";
  return new Stop(EXIT.disk, asFormatError(thrown, path).message, thrown);
}
