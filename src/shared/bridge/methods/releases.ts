import { z } from "zod";
import { method } from "../method.ts";

/** A published version of this program. All of it is foreign text: it is shown as it is, never as markup. */
export interface Release {
  /** `1.2.3` */
  readonly version: string;
  /** Day of publication, `2026-12-01`; null where the feed does not say. */
  readonly date: string | null;
  /** What is new, an item for each change. */
  readonly notes: readonly string[];
}

export interface ReleaseNews {
  /** The newest version, where it is newer than this program. */
  readonly newer: Release | null;
  /** Where installers are published. */
  readonly address: string;
}

/** Newer versions of this program. Nothing is asked unless the user wants it, and nothing is installed. */
export const releases = {
  /** Where installers are published; null where this build does not know, so that nothing can be asked. */
  address: method<string | null>()(z.object({})),
  /**
   * Asks the feed of releases. `isAsked` says that the user wants it now; else it is asked at most once a day, and only
   * where the setting allows it. Answers null where nothing is known. Faults: network, service, usage (no feed).
   */
  check: method<ReleaseNews | null>()(z.object({ isAsked: z.boolean() })),
};
