import { basename } from "node:path";
import type { BridgeClient } from "#shared/bridge/client.ts";
import { DOWNLOAD_PATH } from "./desktop.ts";

/**
 * The file behind a path of downloads, null where it is none. Only what a finished export, or a session that was handed
 * on, offers for download can be had: its paths come from there, never from the address.
 */
export async function downloadOf(urlPath: string, { bridge }: BridgeClient): Promise<string | null> {
  const [exportId, name, ...more] = urlPath.slice(DOWNLOAD_PATH.length).split("/").map(decoded);
  if (!exportId || !name || more.length > 0) return null;
  const written = await bridge.views.writtenFiles({});
  const session = written.ok ? written.value.find((w) => w.id === exportId && w.name === name) : undefined;
  if (session) return session.path;
  const exports = await bridge.export.list({});
  if (!exports.ok) return null;
  const task = exports.value.find((t) => t.id === exportId);
  if (task?.state !== "finished" || !task.downloads.some((d) => d.name === name)) return null;
  const files = task.report ? [...task.report.files.map((f) => f.path), task.report.sidecarPath] : [];
  return files.find((path) => path !== null && basename(path) === name) ?? null;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
