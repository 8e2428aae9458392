import { z } from "zod";
import { DEFAULT_FIGURE, figureSettings } from "#shared/file/figure.ts";
import { template } from "#shared/file/savedExport.ts";
import { DEFAULT_TEMPLATE } from "#shared/file/template.ts";
import { HEIGHT_REFERENCES } from "#shared/service/catalogue.ts";
import { stationGroups } from "#shared/station/group.ts";
import { method } from "../method.ts";

/** Settings of the whole application. Every field has a default, so that older files remain readable. */
export const settingsSchema = z.object({
  theme: z.enum(["system", "light", "dark"]).catch("system").default("system"),
  /** Shows local time beside UTC, as a hint. */
  localTime: z.boolean().catch(true).default(true),
  heightReference: z.enum(HEIGHT_REFERENCES).catch("WGS84_ELLIPSOID").default("WGS84_ELLIPSOID"),
  /** Template for the names of exported files. */
  exportTemplate: template.catch(DEFAULT_TEMPLATE).default(DEFAULT_TEMPLATE),
  /** Last used settings of saved figures. */
  figure: figureSettings.catch(DEFAULT_FIGURE).default(DEFAULT_FIGURE),
  /** Whether single letters run commands outside of text fields. */
  singleKeys: z.boolean().catch(true).default(true),
  /** Whether the end of long downloads and exports is notified while the window is not in front. */
  notify: z.boolean().catch(true).default(true),
  /** Whether the feed of releases is requested once a day. */
  checkReleases: z.boolean().catch(false).default(false),
  /** Version of the newest release whose notice the user closed. */
  seenRelease: z.string().max(20).nullable().catch(null).default(null),
  /** Groups of stations, of all connections. */
  stationGroups: stationGroups.catch([]).default([]),
  /** Whether favourites and the stations of groups come first in lists, legends and plots. */
  groupsFirst: z.boolean().catch(false).default(false),
  /** The connection shown last; null before the first. */
  lastConnectionId: z.string().nullable().catch(null).default(null),
});
export type Settings = z.output<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});

const workspaceKey = z.string().min(1).max(200);

/** Settings, and workspaces: the state of a window, to restore it. Faults of all: disk. */
export const settings = {
  read: method<Settings>()(z.object({})),
  /** Changes the given fields. */
  // Not `.partial()` of the schema above, whose defaults would overwrite absent fields.
  write: method<Settings>()(
    z.object({
      theme: z.enum(["system", "light", "dark"]).optional(),
      localTime: z.boolean().optional(),
      heightReference: z.enum(HEIGHT_REFERENCES).optional(),
      exportTemplate: template.optional(),
      figure: figureSettings.optional(),
      singleKeys: z.boolean().optional(),
      notify: z.boolean().optional(),
      checkReleases: z.boolean().optional(),
      seenRelease: z.string().max(20).nullable().optional(),
      groupsFirst: z.boolean().optional(),
      lastConnectionId: z.string().nullable().optional(),
    }),
  ),
  /** Saves the groups that differ between `before` and `after`. All other groups keep the changes of other windows. */
  changeGroups: method<Settings>()(z.object({ before: stationGroups, after: stationGroups })),
  /** JSON that the window wrote under this key, or null. */
  readWorkspace: method<string | null>()(z.object({ key: workspaceKey })),
  writeWorkspace: method<null>()(z.object({ key: workspaceKey, content: z.string().max(1_000_000) })),
};

/** A published version of this program. Untrusted text: shown as it is, never as markup. */
export interface Release {
  /** `1.2.3` */
  readonly version: string;
  /** Day of publication, `2026-12-01`; null if the feed does not contain it. */
  readonly date: string | null;
  /** Release notes, an item for each change. */
  readonly notes: readonly string[];
}

export interface ReleaseNews {
  /** The newest version, or null if this program is up to date. */
  readonly newer: Release | null;
  /** Address of the installers. */
  readonly address: string;
}

/** Newer versions of this program. The feed is requested only with the user's consent, and nothing is installed. */
export const releases = {
  /** Address of the installers; null if this build has none, so that it cannot check. */
  address: method<string | null>()(z.object({})),
  /**
   * Requests the feed of releases. `isAsked`: the user wants it now; otherwise it is requested at most once a day, and
   * only if the setting allows it. Answers null if nothing is known. Faults: network, service, usage (no feed).
   */
  check: method<ReleaseNews | null>()(z.object({ isAsked: z.boolean() })),
};
