import { basename, dirname, join } from "node:path";
import { siblingName } from "#shared/file/fileName.ts";

/** Returns a path beside another one: `a/b.nc` → `a/b-satellites.nc`. */
export function siblingPath(path: string, suffix: string): string {
  return join(dirname(path), siblingName(basename(path), suffix));
}

/** Returns the path of the sidecar: `a/b.nc` → `a/b.nc.json`. */
export function sidecarPath(path: string): string {
  return join(dirname(path), siblingName(basename(path), "", ".json"));
}
