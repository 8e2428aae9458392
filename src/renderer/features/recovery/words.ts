import type { Recovery, UserBackup } from "#shared/bridge/methods/recovery.ts";
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

/** Summarizes a backup: "3 connections (Aurora, Demo, Boreal), 2 views, 1 saved export, 14 downloads". */
export function contentsText({ connectionNames, connections, views, savedExports, jobs }: UserBackup): string {
  const names = connectionNames.slice(0, MAX_NAMES).map((name) => (name === "demo" ? "Demo" : name));
  const more = connections > names.length ? " …" : "";
  return [
    `${many(connections, "connection")}${names.length === 0 ? "" : ` (${names.join(", ")}${more})`}`,
    many(views, "view"),
    many(savedExports, "saved export"),
    many(jobs, "download"),
  ].join(", ");
}
