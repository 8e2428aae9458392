import { z } from "zod";
import { HEIGHT_REFERENCES } from "#shared/service/catalogue.ts";
import { DEFAULT_FIGURE, figureSettings } from "#shared/file/figure.ts";
import { template } from "#shared/file/savedExport.ts";
import { DEFAULT_TEMPLATE } from "#shared/file/template.ts";
import { stationGroups } from "#shared/station/group.ts";
import { method } from "../method.ts";

/** What the user set once for the whole application. Every field has a default, so that an older file reads. */
export const settingsSchema = z.object({
  theme: z.enum(["system", "light", "dark"]).catch("system").default("system"),
  /** Local time beside UTC, as a hint. */
  localTime: z.boolean().catch(true).default(true),
  heightReference: z.enum(HEIGHT_REFERENCES).catch("WGS84_ELLIPSOID").default("WGS84_ELLIPSOID"),
  /** How exported files are called. */
  exportTemplate: template.catch(DEFAULT_TEMPLATE).default(DEFAULT_TEMPLATE),
  /** How figures were saved last. */
  figure: figureSettings.catch(DEFAULT_FIGURE).default(DEFAULT_FIGURE),
  /** Whether single letters run commands where no one is typing. */
  singleKeys: z.boolean().catch(true).default(true),
  /** Whether long downloads and exports tell their end where the window is not in front. */
  notify: z.boolean().catch(true).default(true),
  /** Whether the feed of releases is asked once a day. */
  checkReleases: z.boolean().catch(false).default(false),
  /** Version of the newest release that the user was told of and closed. */
  seenRelease: z.string().max(20).nullable().catch(null).default(null),
  /** Groups of stations, of all connections. */
  stationGroups: stationGroups.catch([]).default([]),
  /** Whether favourites and the stations of groups come first in lists, legends and plots. */
  groupsFirst: z.boolean().catch(false).default(false),
  /** Connection shown last; null before the first. */
  lastConnectionId: z.string().nullable().catch(null).default(null),
});
export type Settings = z.output<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});

const workspaceKey = z.string().min(1).max(200);

/** Settings, and workspaces: what a window shows, so that it opens as it was left. Faults of all: disk. */
export const settings = {
  read: method<Settings>()(z.object({})),
  /** Changes the given fields. */
  // Not `.partial()` of the schema above: its defaults would set what was not given.
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
      stationGroups: stationGroups.optional(),
      groupsFirst: z.boolean().optional(),
      lastConnectionId: z.string().nullable().optional(),
    }),
  ),
  /** JSON that the window wrote under this key; null where it never did. */
  readWorkspace: method<string | null>()(z.object({ key: workspaceKey })),
  writeWorkspace: method<null>()(z.object({ key: workspaceKey, content: z.string().max(1_000_000) })),
};
