import { create } from "zustand";
import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../../bridge/index.ts";
import { reopenConnection } from "../../stores/connection.ts";
import { forgetDamage } from "../../stores/damage.ts";
import { bytes } from "../../ui/text.ts";
import { foundText, isSound, repairedText } from "./findings.ts";
import { rebuiltText } from "./rebuild.ts";
import type { Work } from "./work.ts";

export type MaintenanceKind = "check" | "repair" | "compact";

export type MaintenanceState =
  | { readonly kind: "idle" }
  | { readonly kind: "busy"; readonly of: MaintenanceKind; readonly work: Work }
  | { readonly kind: "said"; readonly text: string; readonly isBad: boolean }
  | { readonly kind: "failed"; readonly fault: AppFault };

const IDLE: MaintenanceState = { kind: "idle" };

/** By connection, and not in the room: who leaves it finds the work, or what came of it, when he comes back. */
const useStates = create<Readonly<Record<string, MaintenanceState>>>(() => ({}));

export function useMaintenance(connectionId: string): MaintenanceState {
  return useStates((s) => s[connectionId] ?? IDLE);
}

/** Verifies all checksums. */
export async function check(connectionId: string): Promise<void> {
  const work = begin(connectionId, "check", "Checking", (read, all) => `${read} of ${all} were read.`);
  const answer = await bridge.cache.check({ connectionId, workId: work.workId });
  if (!answer.ok) return fail(connectionId, answer.error);
  const { findings } = answer.value;
  put(connectionId, { kind: "said", isBad: findings !== null && !isSound(findings), text: foundText(findings) });
}

/** Leaves out what is damaged, and keeps all else. */
export async function repair(connectionId: string): Promise<void> {
  const work = begin(connectionId, "repair", "Repairing", (read, all) => `${read} of ${all} were read.`);
  const answer = await bridge.cache.repair({ connectionId, workId: work.workId });
  if (!answer.ok) return fail(connectionId, answer.error);
  const { findings, rebuilt } = answer.value;
  forgetDamage(connectionId);
  if (rebuilt !== null) await reopenConnection();
  put(connectionId, {
    kind: "said",
    isBad: false,
    text: rebuilt === null ? repairedText(findings) : rebuiltText(rebuilt),
  });
}

/** Gives room back to the disk. */
export async function compact(connectionId: string): Promise<void> {
  const work = begin(connectionId, "compact", "Compacting", (done, all) => `${done} of ${all} are compacted.`);
  const [before, answer] = await Promise.all([
    bridge.cache.statistics({ connectionId }),
    bridge.cache.compact({ connectionId, workId: work.workId }),
  ]);
  if (!answer.ok) return fail(connectionId, answer.error);
  const freed = before.ok ? before.value.fileBytes - answer.value.fileBytes : 0;
  const done = freed > 0 ? `${bytes(freed)} were freed.` : "There was no unused space.";
  put(connectionId, {
    kind: "said",
    isBad: false,
    text: answer.value.isStopped ? "Stopped. The file is as it was." : done,
  });
}

/** Shows the work, which is asked for right after: a "Stop" that is pressed at once must find it begun. */
function begin(
  connectionId: string,
  of: MaintenanceKind,
  label: string,
  text: (done: string, all: string) => string,
): Work {
  const workId = crypto.randomUUID();
  const show = (usedBytes: number | null): Work => {
    const work: Work = {
      workId,
      connectionId,
      label,
      text: (share) =>
        share === null || usedBytes === null
          ? "Reading the file. This may take a while."
          : text(bytes(share * usedBytes), bytes(usedBytes)),
    };
    put(connectionId, { kind: "busy", of, work });
    return work;
  };
  const tellSize = async (): Promise<void> => {
    const size = await bridge.cache.limit({ connectionId });
    const now = useStates.getState()[connectionId];
    if (size.ok && now?.kind === "busy" && now.work.workId === workId) show(size.value.usedBytes);
  };
  void tellSize();
  return show(null);
}

function fail(connectionId: string, fault: AppFault): void {
  put(connectionId, { kind: "failed", fault });
}

function put(connectionId: string, state: MaintenanceState): void {
  useStates.setState({ [connectionId]: state });
}
