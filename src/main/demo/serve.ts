import {
  BUILT_IN_ORGANIZATIONS,
  createWorld,
  readServiceConfig,
  type ServiceOptions,
  startService,
  unknownEntitlement,
} from "#service/index.ts";
import { failure, type Result, success } from "#shared/service/error.ts";

interface ServeOptions {
  readonly port: number | null;
  readonly host: string | null;
  /** Number of stations of the simulated world; null for those of the configuration, or of the built-in catalogue. */
  readonly stations: number | null;
  /** JSON with the options of `startService`. */
  readonly configText: string | null;
}

interface ServedOrganization {
  readonly name: string;
  /** Only the keys of the built-in organizations, which are public examples; null for those of a configuration. */
  readonly exampleKey: string | null;
  /** Data points per request; null for no limit. */
  readonly maxPoints: number | null;
  readonly maxConcurrent: number;
}

interface Serving {
  readonly url: string;
  readonly stations: number;
  readonly organizations: readonly ServedOrganization[];
  close(): Promise<void>;
}

const DEFAULT_PORT = 8470;

/**
 * Starts the reference service as a server of its own. Options of the command line override the configuration.
 *
 * @returns the running service, or a sentence that names the error of the configuration
 * @throws if the port is not available
 */
export async function serve(options: ServeOptions): Promise<Result<Serving, string>> {
  const config: Result<ServiceOptions, string> =
    options.configText === null ? success({}) : readServiceConfig(options.configText);
  if (!config.ok) return failure(config.error);
  const { seed, organizations = [] } = config.value;
  const stations = options.stations ?? config.value.stations;
  const world = createWorld({
    ...(seed === undefined ? {} : { seed }),
    ...(stations === undefined ? {} : { stations }),
  });
  const unknown = unknownEntitlement(organizations, world);
  if (unknown !== null) return failure(unknown);
  const service = await startService({
    port: DEFAULT_PORT,
    ...config.value,
    world,
    // Nothing reads the log here, and a service may run for months.
    logLength: 0,
    ...(options.port === null ? {} : { port: options.port }),
    ...(options.host === null ? {} : { host: options.host }),
  });
  const examples = new Set(BUILT_IN_ORGANIZATIONS.map((o) => o.key));
  return success({
    url: service.url,
    stations: service.world.stations.length,
    organizations: service.organizations.map(({ name, key, maxPoints, maxConcurrent }) => ({
      name,
      exampleKey: examples.has(key) ? key : null,
      maxPoints,
      maxConcurrent,
    })),
    close: () => service.close(),
  });
}
