import { create } from "zustand";
import type { Recovery, UserBackup } from "#shared/bridge/methods/system.ts";
import { bridge } from "../../bridge/index.ts";
import { many } from "../../ui/text.ts";

/** A state in which user.db must be recovered. */
export interface KnownRecovery extends Recovery {
  readonly reason: NonNullable<Recovery["reason"]>;
}

export const REASONS: Readonly<Record<KnownRecovery["reason"], string>> = {
  damaged: "The file that contains them is damaged. It was not changed.",
  foreign: "The file with this name was not written by Zenith Desk. It was not changed.",
  newer:
    "A newer version of Zenith Desk wrote the file that contains them. Update this program, or restore an older backup.",
};

const MAX_NAMES = 5;

/** Summarizes a backup: "3 connections (Aurora, Demo, Boreal), 2 views, 1 saved export, 1 schedule, 14 downloads". */
export function contentsText(backup: UserBackup): string {
  const { connectionNames, connections, views, savedExports, jobs, schedules, damagedRecords } = backup;
  const names = connectionNames.slice(0, MAX_NAMES).map((name) => (name === "demo" ? "Demo" : name));
  const more = connections > names.length ? " …" : "";
  return [
    `${many(connections, "connection")}${names.length === 0 ? "" : ` (${names.join(", ")}${more})`}`,
    many(views, "view"),
    many(savedExports, "saved export"),
    many(schedules, "schedule"),
    many(jobs, "download"),
    ...(damagedRecords === 0 ? [] : [many(damagedRecords, "damaged record")]),
  ].join(", ");
}

/** The state of a user.db that cannot be opened; null if it can. */
export const useRecovery = create<{ readonly recovery: KnownRecovery | null }>(() => ({ recovery: null }));

/** Checks for a damaged user.db after the connections could not be loaded. @returns whether it must be recovered */
export async function lookForRecovery(): Promise<boolean> {
  const answer = await bridge.recovery.state({});
  if (!answer.ok || answer.value.reason === null) return false;
  useRecovery.setState({ recovery: { ...answer.value, reason: answer.value.reason } });
  return true;
}

/** Reloads the page when any window has recovered user.db. */
export function followRecovery(): void {
  bridge.on("recovered", () => location.reload());
}
