import type { Driver } from "./driver.ts";
import { electronDriver } from "./electronDriver.ts";
import { standinDriver } from "./standinDriver.ts";
import { webDriver } from "./webDriver.ts";

/** All shells, in the order in which suites run in them. */
export const DRIVERS: readonly Driver[] = [webDriver, standinDriver, electronDriver];
