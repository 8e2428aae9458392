import { mkdir } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { lowSentence } from "#shared/schedule/silence.ts";
import type { AppFault } from "#shared/fault.ts";
import type { FigureSettings } from "#shared/file/figure.ts";
import {
  isPlannedBy,
  type LedgerRange,
  nextTryAt,
  type RangeState,
  RANGE_STATE_WORDS,
} from "#shared/schedule/ledger.ts";
import { shortName } from "#shared/service/variables.ts";
import { SECOND_MS, type UtcMs } from "#shared/time/utc.ts";
import { formatRange, overlap, type TimeRange } from "#shared/time/range.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { checksumOf, markOf } from "./content.ts";
import { leastSettled, type Settlement, settlementOf } from "../reading/settlement.ts";
import {
  type Delivery,
  isSameRange,
  type PlannedRange,
  type RunnerContext,
  type ScheduleRunOptions,
} from "./delivery.ts";
import { earlierFiles, type NamedOutput, nameOutputs, outputFolder, presentPath, writeOutputs } from "./files.ts";
import { countReceived, leastComplete, missingOf, type Reception } from "./incomplete.ts";
import type { StoredSchedule } from "./ledger.ts";
import { type Loaded, loadRanges } from "./load.ts";
import { batches } from "./plan.ts";

interface DeliveryContext extends Omit<RunnerContext, "look"> {
  readonly connection: OpenConnection;
  readonly stored: StoredSchedule;
  readonly look: FigureSettings;
}

const STATE_OF: Readonly<Record<Settlement, RangeState>> = {
  final: "final",
  mayStillArrive: "mayStillArrive",
  notDownloaded: "incomplete",
};
const NO_FILE = " No file was written.";

/**
 * Works off ranges, first due first: downloads what is missing, and writes the files of each range that was not delivered
 * yet, or got data, or became final. Each step is stored, so that a killed run continues where it was.
 */
export function deliver(
  context: DeliveryContext,
  planned: readonly PlannedRange[],
  options: ScheduleRunOptions,
): Promise<Delivery> {
  return new Deliverer(context, planned, options).run();
}

class Deliverer {
  readonly #context: DeliveryContext;
  readonly #planned: readonly PlannedRange[];
  readonly #options: ScheduleRunOptions;
  readonly #startMs: UtcMs;
  readonly #folder: string;
  /** The folder if it is in the data folder; null if the user chose another one. */
  readonly #ownFolder: string | null;
  /** The range that became due last, and its files: one that has the same name for all ranges shows this one. */
  readonly #newest: LedgerRange | undefined;
  readonly #newestPaths: ReadonlySet<string>;
  readonly #done: Delivery = {
    loads: [],
    verdicts: [],
    files: [],
    remarks: [],
    alarms: [],
    delivered: 0,
    fault: null,
    isRemoved: false,
  };

  constructor(context: DeliveryContext, planned: readonly PlannedRange[], options: ScheduleRunOptions) {
    this.#context = context;
    this.#planned = planned;
    this.#options = options;
    this.#startMs = Math.floor(context.connection.session.serverNowMs() / SECOND_MS) * SECOND_MS;
    const { schedule } = context.stored;
    this.#folder = outputFolder(schedule, context.dataFolder);
    this.#ownFolder = schedule.folder === null ? this.#folder : null;
    const newest = planned.toSorted((a, b) => a.range.dueMs - b.range.dueMs).at(-1);
    this.#newest = newest?.range;
    const names = newest === undefined ? [] : this.#namesOf(newest);
    this.#newestPaths = new Set(names.flatMap(({ path }) => (path.ok ? [path.value] : [])));
  }

  async run(): Promise<Delivery> {
    const { clock, store, stored, connection } = this.#context;
    const { signal, onStage, trigger } = this.#options;
    const specs = this.#planned.flatMap(({ plan }) => plan.specs);
    if (trigger === "user") connection.session.profile.allow(specs.flatMap(({ stationIds }) => stationIds));
    const waiting = this.#planned.map((one) => ({ ...one, range: tried(one.range, clock.wallMs()) }));
    store.ledger.put(
      stored.id,
      waiting.map(({ range }) => range),
    );
    for (const together of batches(waiting)) {
      if (signal.aborted) break;
      onStage?.("download");
      const loaded = await loadRanges({ ...this.#context, ...this.#options, startMs: this.#startMs }, together);
      this.#done.loads.push(...loaded.loads);
      this.#done.verdicts.push(...loaded.verdicts);
      if (signal.aborted) break;
      if (loaded.fault !== null) {
        // It would stop the others as well: all wait for their next try.
        const message = loaded.fault.message + NO_FILE;
        for (const { range } of waiting.slice(waiting.indexOf(together[0]!)))
          this.#failed(range, { ...loaded.fault, message });
        break;
      }
      for (const one of together) {
        if (signal.aborted) break;
        // With the schedule went the list of its own files, the only ones that it may replace.
        if (store.find(stored.id) === null) {
          this.#done.isRemoved = true;
          return this.#done;
        }
        await this.#deliverOne(one, loaded);
      }
    }
    return this.#done;
  }

  async #deliverOne(one: PlannedRange, { rows, verdicts }: Loaded): Promise<void> {
    const { connection, clock, store, stored } = this.#context;
    const { signal } = this.#options;
    const { range, plan } = one;
    const settlement = leastSettled(plan.specs.map((spec) => settlementOf(connection, spec)));
    const missing = missingOf(verdicts.filter((verdict) => overlap(verdict.range, range)));
    const [cause] = missing.filter((part) => part.state === "failed" || part.state === "forbidden");
    const reason = cause?.reason ?? null;
    const state = STATE_OF[settlement];
    const isBetter = state !== range.state;
    const mustWrite = range.deliveredMs === null || one.isForced;
    const mark = markOf(connection, plan.specs);
    const content = mustWrite || mark !== range.mark ? await checksumOf(connection, plan.specs, signal) : range.content;
    const isChanged = content !== range.content || isBetter;
    if (!mustWrite && !isChanged) {
      if (!isDeepStrictEqual([missing, reason, mark], [range.missing, range.reason, range.mark]))
        this.#put(range, () => ({ missing, reason, mark }));
      return;
    }
    const receptions = await countReceived(connection, plan.specs[0], signal);
    if (signal.aborted) return;
    const isEmpty = receptions.length === 0 ? rows === 0 : receptions.every(({ received }) => received === 0);
    const least = leastComplete(receptions);
    if (settlement === "notDownloaded" && isEmpty && cause && range.deliveredMs === null)
      // Its files would contain only gaps.
      return this.#failed(
        range,
        { kind: "service", message: (cause.reason ?? "The service did not answer.") + NO_FILE, cause: null },
        { missing },
      );
    const change = {
      state,
      missing,
      complete: least?.complete ?? null,
      completeOf: least?.variable ?? null,
      reason,
      content,
      mark,
      stations: store.ledger.keepStations(stored.id, plan.specs[0].stationIds),
      tries: isBetter ? 1 : range.tries,
      nextTryMs: state === "final" ? null : nextTryAt(state, isBetter ? 1 : range.tries, clock.wallMs()),
    };
    this.#options.onStage?.("export");
    const isAgain = range.deliveredMs !== null && isChanged && plan.outputs.length > 0;
    const said = receptions.flatMap(({ sentence }) => sentence ?? []);
    if (said.length > 0 && !isAgain) this.#done.remarks.push(this.#about(range, said.join(" ")));
    const written = await this.#write(one, range);
    if (written === null) return;
    const hasAlarm = range.hasAlarm || this.#noteLow(range, receptions);
    this.#put(range, () => ({ ...change, ...written, hasAlarm, deliveredMs: clock.wallMs() }));
    this.#done.delivered++;
    if (isAgain) this.#done.remarks.push(`${formatRange(range)}: written again, ${RANGE_STATE_WORDS[state]}.`);
  }

  /** Raises an alarm for a range with too few values, whether they may still arrive or not. @returns whether it did */
  #noteLow(range: LedgerRange, receptions: readonly Reception[]): boolean {
    const { completeBelow } = this.#context.stored.schedule;
    if (completeBelow === null) return false;
    const low = receptions.flatMap(
      ({ variable, stations }) => lowSentence(shortName(variable), stations, completeBelow) ?? [],
    );
    if (low.length === 0) return false;
    this.#done.alarms.push(this.#about(range, low.join(" ")));
    return true;
  }

  /** Names the range in a sentence, if the run has several. */
  #about(range: TimeRange, sentence: string): string {
    return this.#planned.length > 1 ? `${formatRange(range)}: ${sentence}` : sentence;
  }

  async #write(one: PlannedRange, range: LedgerRange): Promise<Partial<LedgerRange> | null> {
    const { connection, store, stored, clock, writeGuarded, look, draw } = this.#context;
    const { signal } = this.#options;
    const rangesOf = (path: string): LedgerRange[] => store.ledger.withFile(stored.id, path);
    const isNewest = this.#newest !== undefined && isSameRange(range, this.#newest);
    const isOfLater = (path: string): boolean =>
      rangesOf(path).some(
        (other) =>
          other.dueMs > range.dueMs &&
          isPlannedBy(other, clock.wallMs()) &&
          earlierFiles([other], path, this.#ownFolder).length > 0,
      );
    const isForNewest = (path: string): boolean => (!isNewest && this.#newestPaths.has(path)) || isOfLater(path);
    // Files that a newer range writes under the same name are its own.
    const own = this.#namesOf(one).filter(({ path }) => !path.ok || !isForNewest(path.value));
    if (own.length === 0) return {};
    if (this.#ownFolder !== null) await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const earlier = (path: string) => earlierFiles(rangesOf(path), path, this.#ownFolder);
    const note = (files: readonly LedgerRange["writing"][number][]): void =>
      this.#put(range, ({ writing }) => ({ writing: [...writing, ...files] }));
    const written = await writeOutputs(connection, own, { earlier, writeGuarded, draw, look, note, signal });
    this.#done.remarks.push(...written.remarks);
    this.#done.files.push(...written.files);
    if (signal.aborted) return null;
    const paths = new Set(written.files.map((file) => file.path));
    this.#takeOver(paths, range);
    // Files of an earlier name or choice are still the schedule's, which only this list proves.
    // What was noted for files that did not get their names says nothing.
    const others = this.#without({ files: this.#now(range).files, writing: range.writing }, paths);
    const change = { ...others, files: [...others.files, ...written.files] };
    const [problem] = written.problems;
    if (problem === undefined) return change;
    // Whatever the data are: their files are not there.
    const fault = { ...problem, message: distinctMessages(written.problems) };
    this.#failed(range, fault, { ...change, state: "failed" });
    return null;
  }

  #namesOf({ plan }: PlannedRange): NamedOutput[] {
    return nameOutputs(this.#context.connection, plan.outputs, this.#folder);
  }

  /** Removes files from ranges that another range has written, so that each file has one owner. */
  #takeOver(taken: ReadonlySet<string>, owner: LedgerRange): void {
    const { store, stored } = this.#context;
    for (const path of taken)
      for (const range of store.ledger.withFile(stored.id, path))
        if (!isSameRange(range, owner)) store.ledger.put(stored.id, [{ ...range, ...this.#without(range, taken) }]);
  }

  /** Files of a range at other paths; a description belongs to its file. */
  #without(
    { files, writing }: Pick<LedgerRange, "files" | "writing">,
    paths: ReadonlySet<string>,
  ): Pick<LedgerRange, "files" | "writing"> {
    const isOther = ({ path }: LedgerRange["files"][number]): boolean => {
      const present = presentPath(path, this.#ownFolder);
      return !paths.has(present) && !paths.has(present.replace(/\.json$/, ""));
    };
    return { files: files.filter(isOther), writing: writing.filter(isOther) };
  }

  #failed(range: LedgerRange, { message, kind }: AppFault, change: Partial<LedgerRange> = {}): void {
    this.#done.fault = { kind, message, cause: null };
    const state = range.deliveredMs === null ? "failed" : range.state;
    this.#put(range, () => ({ state, ...change, reason: message }));
  }

  /** Changes a range as it is stored now: others of this run may have taken over its files. */
  #put(range: LedgerRange, change: (current: LedgerRange) => Partial<LedgerRange>): void {
    const current = this.#now(range);
    this.#context.store.ledger.put(this.#context.stored.id, [{ ...current, ...change(current) }]);
  }

  #now(range: LedgerRange): LedgerRange {
    const { store, stored } = this.#context;
    return store.ledger.find(stored.id, range) ?? range;
  }
}

/** Stored before the work begins, so that a run that is killed again and again waits in between. */
function tried(range: LedgerRange, nowMs: UtcMs): LedgerRange {
  const tries = range.tries + 1;
  return { ...range, tries, triedMs: nowMs, nextTryMs: nextTryAt(range.state, tries, nowMs) };
}

/** Several files can fail for the same reason, such as a missing folder. */
function distinctMessages(problems: readonly AppFault[]): string {
  return [...new Set(problems.map(({ message }) => message))].join(" ");
}
