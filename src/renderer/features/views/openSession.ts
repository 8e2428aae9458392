import type { FileGrant } from "#shared/file/opened.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";
import { requestGrant } from "../../bridge/fileGrant.ts";
import { connectionName, loadConnections, openConnection } from "../../stores/connection.ts";
import { showFault, showToast } from "../../stores/toasts.ts";
import { many } from "../../ui/text.ts";
import { showView } from "./actions.ts";
import { openViewsDialog } from "./store.ts";

const MAGIC = "SQLite format 3\0";

/** Whether a file holds data beside its views: one with views alone is text. */
export async function holdsData(file: File): Promise<boolean> {
  return (await file.slice(0, MAGIC.length).text()) === MAGIC;
}

/** Opens a session with data that was dropped on the page or chosen in it. */
export function openSession(file: File): Promise<void> {
  return open(file.name, () => requestGrant(file));
}

/** The same for one that the shell granted: with data or with views alone. */
export function openGrantedSession(grant: FileGrant): Promise<void> {
  return open(grant.name, async () => ({ ok: true, value: grant }));
}

/** Opens a session that somebody shared, and shows its first view. */
async function open(name: string, grant: () => Promise<Result<FileGrant, AppFault>>): Promise<void> {
  const workId = crypto.randomUUID();
  const stop = new AbortController();
  openViewsDialog({ kind: "opening", name, workId, stop: () => stop.abort() });
  const granted = await grant();
  const answer = granted.ok
    ? await bridge.views.openFile({ grantId: granted.value.grantId, workId }, { signal: stop.signal })
    : granted;
  openViewsDialog(null);
  if (!answer.ok) return showFault(answer.error);
  const { connection, views } = answer.value;
  if (!connection) return showToast(`${many(views.length, "view")} were added from ${name}.`);
  await loadConnections();
  const opened = await openConnection(connection.id);
  await opened?.catalogue;
  const [first] = views;
  if (first) await showView(first);
  const withViews = views.length === 0 ? "" : ` with ${many(views.length, "view")}`;
  showToast(`“${connectionName(connection)}”${withViews} is open: read only, beside your own connections.`);
}
