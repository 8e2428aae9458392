import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { UtcMs } from "#shared/time/utc.ts";
import { FaultPlan, type FaultRule } from "./faults/faults.ts";
import { MAX_DECIMALS } from "./measurements/digits.ts";
import { DEFAULT_SETTINGS, type ServiceOptions, type ServiceSettings } from "./options.ts";
import {
  BUILT_IN_ORGANIZATIONS,
  Keyring,
  organization,
  type Organization,
  type OrganizationOptions,
} from "./organizations.ts";
import { makeServer, type ServiceState } from "./server.ts";
import { Recorder, type ServiceStats } from "./stats.ts";
import { createWorld } from "./world/index.ts";
import type { World } from "./world/types.ts";

/** A running reference service. Its settings can be changed while it runs; active requests keep the previous ones. */
export interface RunningService {
  /** Base URL without a trailing slash: `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly port: number;
  readonly world: World;
  readonly organizations: readonly Organization[];
  readonly stats: ServiceStats;
  resetStats(): void;
  /** UTC milliseconds by the service's clock, as in its `Date` header. */
  now(): UtcMs;
  /** Moves the clock; back if negative. */
  advanceClock(ms: number): void;
  setFaults(rules: readonly FaultRule[]): void;
  configure(change: Partial<ServiceSettings>): void;
  /** Changes the properties of the organization of this name. Throws if there is none. */
  setOrganization(name: string, change: Partial<Organization>): void;
  setOrganizations(organizations: readonly OrganizationOptions[]): void;
  /** Closes all connections at once. */
  close(): Promise<void>;
}

/**
 * Starts the reference service: the server side of the whole specification over a simulated world.
 *
 * @throws if the port is not available, or a setting is invalid
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const {
    port = 0,
    host = "127.0.0.1",
    world,
    seed,
    stations,
    now = Date.now,
    organizations,
    faults = [],
    faultSeed = 1,
    logLength,
    onError = reportError,
    ...rest
  } = options;
  let offsetMs = 0;
  const state: ServiceState = {
    world: world ?? createWorld({ seed, stations }),
    now: () => Math.floor(now() + offsetMs),
    keyring: new Keyring(organizations?.map(organization) ?? BUILT_IN_ORGANIZATIONS),
    faults: new FaultPlan(faults, faultSeed),
    recorder: new Recorder(logLength),
    onError,
    settings: checked({ ...DEFAULT_SETTINGS, ...rest }),
  };
  const server = makeServer(state);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  const shownHost = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    url: `http://${shownHost}:${address.port}`,
    port: address.port,
    world: state.world,
    get organizations() {
      return state.keyring.all;
    },
    stats: state.recorder,
    resetStats: () => state.recorder.reset(),
    now: state.now,
    advanceClock: (ms) => void (offsetMs += ms),
    setFaults: (rules) => state.faults.set(rules),
    configure(change) {
      state.settings = checked({ ...state.settings, ...change });
    },
    setOrganization: (name, change) => state.keyring.replaceAll(changed(state.keyring.all, name, change)),
    setOrganizations: (list) => state.keyring.replaceAll(list.map(organization)),
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function reportError(error: unknown): void {
  console.error("The reference service failed to answer a request.", error);
}

function checked(settings: ServiceSettings): ServiceSettings {
  const { decimals } = settings;
  if (decimals !== null && !(Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS)) {
    throw new RangeError(`decimals must be null or an integer from 0 to ${MAX_DECIMALS}.`);
  }
  return settings;
}

function changed(all: readonly Organization[], name: string, change: Partial<Organization>): Organization[] {
  if (!all.some((organization) => organization.name === name)) throw new Error(`There is no organization ${name}.`);
  return all.map((organization) => (organization.name === name ? { ...organization, ...change } : organization));
}
