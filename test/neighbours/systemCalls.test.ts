import { afterAll, beforeAll, expect, it } from "vitest";
import { seeded } from "../support/seeded.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";
import { describeUnless } from "../support/needs.ts";
import { type Meeting, type Neighbourhood, openNeighbourhood } from "./meeting.ts";
import { writeFigures } from "./report.ts";
import { countCalls, type Failure, whyNoStrace, withFailure } from "./strace.ts";

const SEED = Number(process.env["ZENITH_SEED"] ?? 4);
const WHOLE = 180;
const COUNT = Number(process.env["ZENITH_COUNT"] ?? WHOLE);

/** Errors of system calls for files of the data folder. */
const IN_DATA: Readonly<Record<string, readonly string[]>> = {
  pwrite64: ["EIO", "ENOSPC", "EINTR"],
  pread64: ["EIO", "EINTR"],
  read: ["EIO"],
  fsync: ["EIO", "ENOSPC"],
  fdatasync: ["EIO", "ENOSPC"],
  ftruncate: ["EIO", "ENOSPC"],
  openat: ["EACCES", "EIO", "EMFILE", "EINTR"],
  unlink: ["EACCES", "EIO"],
  rename: ["EIO", "EACCES", "ENOSPC"],
  fcntl: ["ENOLCK", "EIO"],
  newfstatat: ["EIO"],
  statx: ["EIO", "EACCES"],
  mmap: ["ENOMEM"],
  fchmod: ["EPERM"],
};
/** Errors of system calls for any file; the start of the program does not make these calls. */
const ANYWHERE: Readonly<Record<string, readonly string[]>> = {
  pwrite64: ["EIO", "ENOSPC"],
  fsync: ["EIO", "ENOSPC"],
  fdatasync: ["EIO", "ENOSPC"],
  ftruncate: ["EIO", "ENOSPC"],
  rename: ["EIO", "EACCES"],
  unlink: ["EIO", "EACCES"],
};
const COMMANDS = ["fetch", "export --fetch", "export", "forget", "compact", "move", "repair", "session save"].concat(
  "session open",
  "adopt",
  "connect --remove",
  "connect",
);

const why = IS_ENDURANCE ? whyNoStrace() : "it takes minutes, and runs in npm run endurance";

describeUnless(why, "a system call that fails once", () => {
  const met: Meeting[] = [];
  let place: Neighbourhood;
  beforeAll(async () => {
    place = await openNeighbourhood();
  }, 120_000);
  afterAll(async () => {
    writeFigures("a system call that fails once", met, WHOLE);
    await place.close();
  });

  /** Calls of each command, counted on first use. */
  const counted = new Map<string, ReadonlyMap<string, number>>();
  async function callsOf(name: string, inData: boolean): Promise<ReadonlyMap<string, number>> {
    const key = `${name} ${inData}`;
    const known = counted.get(key);
    if (known) return known;
    let found: ReadonlyMap<string, number> = new Map();
    await place.after([name], async (at) => {
      found = await countCalls(at, name, Object.keys(inData ? IN_DATA : ANYWHERE), inData);
      return [];
    });
    counted.set(key, found);
    return found;
  }

  const random = seeded(SEED);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;

  async function failing(name: string): Promise<Failure> {
    const inData = random() < 0.8;
    const made = await callsOf(name, inData);
    const errors = inData ? IN_DATA : ANYWHERE;
    const call = oneOf([...made.keys()].filter((name) => Object.hasOwn(errors, name)));
    const error = oneOf(errors[call]!);
    return { call, error, nth: 1 + Math.floor(random() * made.get(call)!), inData };
  }

  it.each(Array.from({ length: COUNT }, (_, i) => [i, COMMANDS[i % COMMANDS.length]!] as const))(
    "no. %i, of %s, ends with a message or success, and the next command completes the work",
    async (_, name) => {
      const failure = await failing(name);
      const meeting = await place.after([name], async (at) => [{ name, ...(await withFailure(at, name, failure)) }]);
      // Files that cannot be deleted remain until they are swept.
      const isLeft = (fault: string): boolean => failure.call === "unlink" && fault.startsWith("left over: ");
      const faults = meeting.faults.filter((fault) => !isLeft(fault));
      met.push({ ...meeting, faults });
      const report = `${JSON.stringify(failure)}: ${meeting.ended[0]?.code} ${meeting.ended[0]?.stderr}`;
      expect(faults.length === 0 ? [] : [...faults, report]).toEqual([]);
    },
    600_000,
  );
});
