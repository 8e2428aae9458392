import { useState } from "react";
import { create } from "zustand";
import type { AppFault } from "#shared/fault.ts";
import type { CacheStatistics } from "#shared/series/cache.ts";
import { bridge } from "../../bridge/index.ts";
import { reopenConnection, useConnectionId } from "../../stores/connection.ts";
import { forgetDamage } from "../../stores/damage.ts";
import { newWorkId, useWorkProgress } from "../../stores/work.ts";
import { Button } from "../../ui/Button.tsx";
import { Progress } from "../../ui/notes.tsx";
import { PageSection, TextRow } from "../../ui/layout.tsx";
import { bytes } from "../../ui/text.ts";
import { rebuiltText } from "./Damage.tsx";
import { foundText, isSound, repairedText } from "./findings.ts";
import { Outcome } from "./Outcome.tsx";

/** A long-running operation on a cache, started by this window. */
interface CacheTask {
  readonly workId: string;
  readonly connectionId: string;
  /** For example "Deleting". */
  readonly label: string;
  /** Describes the progress in a sentence. @param share 0 to 1, null if unknown */
  readonly text: (share: number | null) => string;
}

/** The running tasks, wherever in the window they were started. */
export const useCacheTasks = create<{ readonly tasks: readonly CacheTask[] }>(() => ({ tasks: [] }));

const SHOWN_AFTER_MS = 1_000;

/** Shows a task that takes longer than a second. Returns a function that hides it. */
export function showTask(task: CacheTask): () => void {
  const timer = setTimeout(() => useCacheTasks.setState(({ tasks }) => ({ tasks: [...tasks, task] })), SHOWN_AFTER_MS);
  return () => {
    clearTimeout(timer);
    useCacheTasks.setState(({ tasks }) => ({ tasks: tasks.filter((t) => t !== task) }));
  };
}

type MaintenanceKind = (typeof OPERATIONS)[number]["kind"];

type MaintenanceState =
  | { readonly kind: "idle" }
  | { readonly kind: "busy"; readonly operation: MaintenanceKind; readonly task: CacheTask }
  | { readonly kind: "done"; readonly text: string; readonly isBad: boolean }
  | { readonly kind: "failed"; readonly fault: AppFault };

const IDLE: MaintenanceState = { kind: "idle" };

/** By connection id. Global, so that progress and result are still there when the user returns to this section. */
const useStates = create<Readonly<Record<string, MaintenanceState>>>(() => ({}));

/** Verifies all checksums. */
async function check(connectionId: string): Promise<void> {
  const workId = begin(connectionId, "check", "Checking", (read, all) => `${read} of ${all} were read.`);
  const answer = await bridge.cache.check({ connectionId, workId });
  if (!answer.ok) return fail(connectionId, answer.error);
  const { findings } = answer.value;
  setState(connectionId, { kind: "done", isBad: findings !== null && !isSound(findings), text: foundText(findings) });
}

/** Removes damaged data and keeps everything else. */
async function repair(connectionId: string): Promise<void> {
  const workId = begin(connectionId, "repair", "Repairing", (read, all) => `${read} of ${all} were read.`);
  const answer = await bridge.cache.repair({ connectionId, workId });
  if (!answer.ok) return fail(connectionId, answer.error);
  const { findings, rebuilt } = answer.value;
  forgetDamage(connectionId);
  if (rebuilt !== null) await reopenConnection();
  setState(connectionId, {
    kind: "done",
    isBad: false,
    text: rebuilt === null ? repairedText(findings) : rebuiltText(rebuilt),
  });
}

/** Releases unused space of the file. */
async function compact(connectionId: string): Promise<void> {
  const workId = begin(connectionId, "compact", "Compacting", (done, all) => `${done} of ${all} are compacted.`);
  const [before, answer] = await Promise.all([
    bridge.cache.statistics({ connectionId }),
    bridge.cache.compact({ connectionId, workId }),
  ]);
  if (!answer.ok) return fail(connectionId, answer.error);
  const freed = before.ok ? before.value.fileBytes - answer.value.fileBytes : 0;
  const done = freed > 0 ? `${bytes(freed)} were freed.` : "There was no unused space.";
  setState(connectionId, {
    kind: "done",
    isBad: false,
    text: answer.value.isStopped ? "Stopped. The file is unchanged." : done,
  });
}

/** Shows the operation as running before it is requested, so that Stop works immediately. @returns its work id */
function begin(
  connectionId: string,
  operation: MaintenanceKind,
  label: string,
  text: (done: string, all: string) => string,
): string {
  const workId = newWorkId();
  const show = (usedBytes: number | null): void => {
    const task: CacheTask = {
      workId,
      connectionId,
      label,
      text: (share) =>
        share === null || usedBytes === null
          ? "Reading the file. This may take a while."
          : text(bytes(share * usedBytes), bytes(usedBytes)),
    };
    setState(connectionId, { kind: "busy", operation, task });
  };
  const showWithSize = async (): Promise<void> => {
    const size = await bridge.cache.maximumSize({ connectionId });
    const now = useStates.getState()[connectionId];
    if (size.ok && now?.kind === "busy" && now.task.workId === workId) show(size.value.usedBytes);
  };
  show(null);
  void showWithSize();
  return workId;
}

function fail(connectionId: string, fault: AppFault): void {
  setState(connectionId, { kind: "failed", fault });
}

function setState(connectionId: string, state: MaintenanceState): void {
  useStates.setState({ [connectionId]: state });
}

/** The progress of a task, with a button that stops it. */
export function TaskRow({ task }: { readonly task: CacheTask }) {
  const share = useWorkProgress(task.workId);
  const [isStopping, setStopping] = useState(false);
  const stop = (): void => {
    setStopping(true);
    void bridge.cache.stopWork({ workId: task.workId });
  };
  return (
    <div className="row flex-wrap justify-between gap-x-10 gap-y-2 py-1.5">
      <div className="flex-[1_1_200px] min-w-0 text-quiet">
        <Progress label={task.label} share={share} text={task.text(share)} />
      </div>
      <Button isPending={isStopping} onPress={stop}>
        Stop
      </Button>
    </div>
  );
}

const OPERATIONS = [
  { kind: "check", label: "Check", run: check, text: "Verifies all checksums." },
  {
    kind: "repair",
    label: "Repair",
    run: repair,
    text: "Removes damaged days and keeps all others. The removed data are marked “not downloaded” and can be fetched again.",
  },
  {
    kind: "compact",
    label: "Compact",
    run: compact,
    text: "Shrinks the file after data were deleted. Downloads wait until it is done.",
  },
] as const;

/** Why the file is larger than its data. */
function onDiskText({ fileBytes, usedBytes }: CacheStatistics): string {
  const rest = fileBytes - usedBytes;
  const more = rest > 0 ? `, ${bytes(rest)} of it freed space and recent changes` : "";
  return `The file takes ${bytes(fileBytes)}${more}.`;
}

/** Checks, repairs and compacts the cache file. */
export function Maintenance({ size }: { readonly size: CacheStatistics | null }) {
  const connectionId = useConnectionId();
  const state = useStates((s) => s[connectionId] ?? IDLE);
  const busyWith = state.kind === "busy" ? state.operation : null;
  return (
    <PageSection title="Maintenance">
      {OPERATIONS.map(({ kind, label, run, text }) => (
        <TextRow key={kind} text={kind === "compact" && size ? `${text} ${onDiskText(size)}` : text}>
          <Button
            isPending={busyWith === kind}
            isDisabled={busyWith !== null && busyWith !== kind}
            onPress={() => void run(connectionId)}
          >
            {label}
          </Button>
        </TextRow>
      ))}
      {state.kind === "busy" ? <TaskRow key={state.task.workId} task={state.task} /> : null}
      <Outcome
        fault={state.kind === "failed" ? state.fault : null}
        text={state.kind === "done" ? state.text : null}
        isBad={state.kind === "done" && state.isBad}
      />
    </PageSection>
  );
}
