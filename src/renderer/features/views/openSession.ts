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

const SQLITE_MAGIC = "SQLite format 3\0";

/** Whether a session file contains data: it is then an SQLite database, otherwise text. */
export async function containsData(file: File): Promise<boolean> {
  return (await file.slice(0, SQLITE_MAGIC.length).text()) === SQLITE_MAGIC;
}

/** Opens a session file with data that the user dropped or chose in the page. */
export function openSession(file: File): Promise<void> {
  return open(file.name, () => requestGrant(file));
}

/** Opens a session file that the shell granted access to, with or without data. */
export function openGrantedSession(grant: FileGrant): Promise<void> {
  return open(grant.name, async () => ({ ok: true, value: grant }));
}

/** Opens a session file and shows its first view. */
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
