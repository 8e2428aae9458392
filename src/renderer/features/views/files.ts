import type { AppFault } from "#shared/fault.ts";
import type { FileGrant } from "#shared/file/opened.ts";
import type { Result } from "#shared/service/error.ts";
import {
  ARCHIVE_MAGIC,
  MAX_VIEW_FILE_BYTES,
  readViewFile,
  VIEW_FILE_EXTENSION,
  withoutFilesSentence,
  writeViewFile,
} from "#shared/views/file.ts";
import { freeName, type SavedView } from "#shared/views/view.ts";
import { requestGrant } from "../../bridge/files.ts";
import { bridge } from "../../bridge/index.ts";
import { connectionName, loadConnections, openConnection } from "../../stores/connection.ts";
import { saveBlob } from "../../stores/saveBlob.ts";
import { newWorkId } from "../../stores/work.ts";
import { orShowFault, showFault, showToast } from "../../stores/toasts.ts";
import { pickFiles } from "../../ui/pickFiles.ts";
import { many } from "../../ui/text.ts";
import { applyView, showView } from "./actions.ts";
import { closeDialog, openDialog } from "../../stores/dialogs.ts";

/** Whether a session file contains data: it is then an archive, otherwise text. */
async function containsData(file: File): Promise<boolean> {
  return (await file.slice(0, ARCHIVE_MAGIC.length).text()) === ARCHIVE_MAGIC;
}

/** Opens a session file, with or without data, and shows its first view. */
export async function openSessionFile(name: string, grant: Promise<Result<FileGrant, AppFault>>): Promise<void> {
  const workId = newWorkId();
  const stop = new AbortController();
  openDialog({ kind: "views", page: "opening", name, workId, stop: () => stop.abort() });
  const granted = await grant;
  const answer = granted.ok
    ? await bridge.views.openFile({ grantId: granted.value.grantId, workId }, { signal: stop.signal })
    : granted;
  closeDialog("views");
  if (!answer.ok) return showFault(answer.error);
  const { connection, views, withoutFiles } = answer.value;
  if (!connection) return showToast(`${many(views.length, "view")} were added from ${name}.`);
  await loadConnections();
  const opened = await openConnection(connection.id);
  await opened?.catalogue;
  const [first] = views;
  const shown = first ? await applyView(first) : null;
  const left = withoutFiles.length === 0 ? "" : ` ${withoutFilesSentence(withoutFiles)}`;
  const withViews = views.length === 0 ? "" : ` with ${many(views.length, "view")}`;
  showToast(
    `“${connectionName(connection)}”${withViews} is open: read only, beside your own connections.${shown?.missing ?? ""}${left}`,
  );
}

/** Saves a file with views, without data, address and key. */
export function shareViews(views: readonly SavedView[]): void {
  const [first] = views;
  const name = views.length === 1 && first ? fileNameOf(first.name) : "views";
  saveBlob(new Blob([writeViewFile(views)], { type: "application/json" }), `${name}${VIEW_FILE_EXTENSION}`);
}

/** Replaces characters that some file systems do not allow. */
export function fileNameOf(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N} ,._-]/gu, "-").replaceAll(/^[. ]+|[. ]+$/g, "");
  return plain.slice(0, 80) || "view";
}

/** Adds the views of a file under unused names. A file with data becomes a connection. */
export async function addFromFile(file: File): Promise<void> {
  if (await containsData(file)) return openSessionFile(file.name, requestGrant(file));
  const refuse = (message: string): void =>
    showFault({ kind: "usage", message: `${file.name}: ${message}`, cause: null });
  if (file.size > MAX_VIEW_FILE_BYTES) return refuse("This file is too large for a file of views.");
  const read = readViewFile(await file.text());
  if (!read.ok) return refuse(read.error.message);
  const kept = await orShowFault(bridge.views.list({}));
  if (!kept.ok) return;
  const taken = new Set(kept.value.map((v) => v.name));
  const views = read.value.map((view) => {
    const name = freeName(view.name, taken);
    taken.add(name);
    return { ...view, name };
  });
  const answer = await orShowFault(bridge.views.save({ views }));
  if (!answer.ok) return;
  const [first] = views;
  if (views.length === 1 && first)
    showToast(`“${first.name}” was added.`, { label: "Show", run: () => void showView(first) });
  else showToast(`${many(views.length, "view")} were added from ${file.name}.`);
}

/** Lets the user choose a file with views. */
export async function chooseFile(): Promise<void> {
  const [file] = await pickFiles([VIEW_FILE_EXTENSION, "application/json"], false);
  if (file) await addFromFile(file);
}
