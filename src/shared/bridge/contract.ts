import { availability } from "./methods/availability.ts";
import { cache } from "./methods/cache.ts";
import { catalogue, nearest } from "./methods/catalogue.ts";
import { compare } from "./methods/compare.ts";
import { connections } from "./methods/connections.ts";
import type { BridgeEvents } from "./events.ts";
import { exports } from "./methods/export.ts";
import { figures } from "./methods/figures.ts";
import { files } from "./methods/files.ts";
import { jobs, schedules } from "./methods/jobs.ts";
import type { Calls, Handlers } from "./method.ts";
import { log, recovery, system } from "./methods/system.ts";
import { products } from "./methods/products.ts";
import { releases, settings } from "./methods/settings.ts";
import { satellites, series } from "./methods/series.ts";
import { snapshot } from "./methods/snapshot.ts";
import { views } from "./methods/views.ts";

/** The contract between windows and the core, by domain. */
export const contract = {
  connections,
  catalogue,
  jobs,
  series,
  availability,
  satellites,
  snapshot,
  compare,
  products,
  figures,
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

type Contract = typeof contract;
type DomainName = keyof Contract;

/** The bridge as a window sees it. */
export type Bridge = {
  readonly [Name in DomainName]: Calls<Contract[Name]>;
} & {
  /** Subscribes to an event. Returns a function that unsubscribes. */
  on<Name extends keyof BridgeEvents>(name: Name, listener: (data: BridgeEvents[Name]) => void): () => void;
};

/** The bridge as the core implements it. */
export type BridgeHandlers = { readonly [Name in DomainName]: Handlers<Contract[Name]> };
