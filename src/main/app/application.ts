import type { CoreChannel } from "#shared/bridge/transport/protocol.ts";
import type { Base } from "./composition/base.ts";
import type { createConnections } from "./composition/connections.ts";
import type { createReading } from "./composition/reading.ts";
import type { createSchedules, Work } from "./composition/work.ts";
import type { createStorage } from "./composition/storage.ts";
import type { createReleaseWatch } from "./releases.ts";

/** The whole application, behind functions that every shell can call. */
export interface App
  extends
    Pick<Base, "settings" | "savedViews">,
    Omit<ReturnType<typeof createConnections>, "changes">,
    Work,
    ReturnType<typeof createSchedules>,
    ReturnType<typeof createStorage>,
    ReturnType<typeof createReading> {
  /** Looks for a newer release, when the user asks or once a day. */
  readonly checkRelease: ReturnType<typeof createReleaseWatch>;
  /** Sentences about the data folder: a place that harms, a disk that cannot be written, damaged records. */
  readonly warnings: readonly string[];
  /** Whether an export since the start, or a run of a schedule, has written a file. */
  hasWritten(path: string): boolean;
  /** Serves the bridge on a channel until it closes. `windowId` tells the shell which window owns a dialog. */
  serve(channel: CoreChannel, windowId: number | null): void;
  /** Stops jobs in order because the computer is about to sleep. */
  suspend(): Promise<void>;
  /** Continues the jobs that `suspend` stopped. */
  resume(): Promise<void>;
  /** Stops everything in order; running jobs continue after the next start. */
  close(): Promise<void>;
}
