import type { Recovery, UserBackup } from "#shared/bridge/methods/recovery.ts";
import { many } from "../../ui/text.ts";

/** Where something has to be recovered. */
export interface KnownRecovery extends Recovery {
  readonly reason: NonNullable<Recovery["reason"]>;
}

export const REASONS: Readonly<Record<KnownRecovery["reason"], string>> = {
  damaged: "The file that holds them is damaged. It was not changed.",
  foreign: "The file in their place was not written by Zenith Desk. It was not changed.",
  newer:
    "A newer version of Zenith Desk wrote the file that holds them: update this program, or restore an older backup.",
};

const MOST_NAMES = 5;

/** "3 connections (Aurora, Demo, Boreal), 2 views, 1 saved export, 14 downloads" */
export function contentsText({ connectionNames, connections, views, savedExports, jobs }: UserBackup): string {
  const names = connectionNames.slice(0, MOST_NAMES).map((name) => (name === "demo" ? "Demo" : name));
  const more = connections > names.length ? " …" : "";
  return [
    `${many(connections, "connection")}${names.length === 0 ? "" : ` (${names.join(", ")}${more})`}`,
    many(views, "view"),
    many(savedExports, "saved export"),
    many(jobs, "download"),
  ].join(", ");
}
