import { availability } from "./availability.ts";
import { cache } from "./cache.ts";
import { catalogue } from "./catalogue.ts";
import { compare } from "./compare.ts";
import { connections } from "./connections.ts";
import type { BridgeEvents } from "./events.ts";
import { exports } from "./export.ts";
import { files } from "./files.ts";
import { jobs } from "./jobs.ts";
import type { Calls, Handlers } from "./method.ts";
import { log } from "./log.ts";
import { nearest } from "./nearest.ts";
import { recovery } from "./recovery.ts";
import { releases } from "./releases.ts";
import { satellites } from "./satellites.ts";
import { schedules } from "./schedules.ts";
import { series } from "./series.ts";
import { settings } from "./settings.ts";
import { snapshot } from "./snapshot.ts";
import { system } from "./system.ts";
import { views } from "./views.ts";

/** The whole contract between a window and the core: a file per domain. */
export const contract = {
  connections,
  catalogue,
  jobs,
  series,
  availability,
  satellites,
  snapshot,
  compare,
  nearest,
  export: exports,
  schedules,
  files,
  cache,
  settings,
  views,
  log,
  recovery,
  releases,
  system,
};

export type Contract = typeof contract;
export type DomainName = keyof Contract;

/** The bridge as a window has it. */
export type Bridge = {
  readonly [Name in DomainName]: Calls<Contract[Name]>;
} & {
  /** Calls the listener for each event of the name, until the returned function is called. */
  on<Name extends keyof BridgeEvents>(name: Name, listener: (data: BridgeEvents[Name]) => void): () => void;
};

/** The bridge as the core implements it. */
export type BridgeHandlers = { readonly [Name in DomainName]: Handlers<Contract[Name]> };
