import { extname } from "node:path";

/** `a/b.nc` → `a/b-satellites.nc`. */
export function siblingPath(path: string, suffix: string): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}${suffix}${extension}`;
}

/** The description beside a data file: `a/b.nc` → `a/b.nc.json`. */
export function sidecarPath(path: string): string {
  return `${path}.json`;
}
