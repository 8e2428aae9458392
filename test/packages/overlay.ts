import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Runs a program that changes the system in a copy of it that is thrown away: an overlay over /, in a mount namespace.

const SCRIPT = `set -e
mount -t tmpfs tmpfs "$ROOM"
mkdir "$ROOM/changed" "$ROOM/work" "$ROOM/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$ROOM/changed,workdir=$ROOM/work" "$ROOM/root"
for place in /proc /sys /dev "$KEPT"; do mkdir -p "$ROOM/root$place"; mount --rbind "$place" "$ROOM/root$place"; done
status=0
chroot "$ROOM/root" "$@" || status=$?
find "$ROOM/changed" ! -type d -printf '/%P\\n' > "$KEPT/changed.txt"
exit $status`;

export interface OverlayRun {
  readonly status: number | null;
  /** Standard output and errors. */
  readonly output: string;
  /** Files of the system that were added, changed or removed. */
  readonly changed: readonly string[];
}

/** @param folder a folder that the program shares with the rest of the system */
export function inOverlay(
  folder: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): OverlayRun {
  const room = mkdtempSync(join(tmpdir(), "zenith-overlay-"));
  try {
    const done = spawnSync("unshare", ["-m", "sh", "-c", SCRIPT, "sh", ...command], {
      encoding: "utf8",
      env: { ...env, ROOM: room, KEPT: folder },
    });
    const output = `${done.stdout ?? ""}${done.stderr ?? ""}`;
    return { status: done.status, output, changed: changesIn(join(folder, "changed.txt")) };
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}

function changesIn(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean).toSorted();
  } catch {
    return [];
  }
}

/** Why the system cannot be copied here; null if it can. */
export function overlayMissing(): string | null {
  if (process.platform !== "linux") return "packages are installed only on Linux";
  if (process.getuid?.() !== 0) return "only root can mount an overlay over the system";
  const folder = mkdtempSync(join(tmpdir(), "zenith-overlay-"));
  try {
    return inOverlay(folder, ["true"]).status === 0 ? null : "this system allows no overlay over /";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
