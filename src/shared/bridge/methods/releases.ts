import { z } from "zod";
import { method } from "../method.ts";

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
