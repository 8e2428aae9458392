import { type RunningService, type ServiceOptions, startService } from "#service/index.ts";
import { atEnd } from "./atEnd.ts";

/** Starts the reference service, which is closed after the test or file. */
export async function openService(options: ServiceOptions = {}): Promise<RunningService> {
  const service = await startService(options);
  atEnd(() => service.close());
  return service;
}
