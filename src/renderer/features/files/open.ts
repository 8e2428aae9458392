import { FILES_CONNECTION_ID } from "#shared/connection.ts";
import type { AppFault } from "#shared/fault.ts";
import { type FileGrant, OPENED_EXTENSIONS, type OpenedFile, type RecentFile } from "#shared/file/opened.ts";
import { type Result, success } from "#shared/service/error.ts";
import { isEmpty, intersectRange } from "#shared/time/range.ts";
import { VIEW_FILE_EXTENSION } from "#shared/views/file.ts";
import { bridge } from "../../bridge/index.ts";
import { requestGrant } from "../../bridge/files.ts";
import { useConnection } from "../../stores/connection.ts";
import { showRange } from "../../stores/range.ts";
import { orShowFault, showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { pickFiles } from "../../ui/pickFiles.ts";
import { count, many } from "../../ui/text.ts";
import { addFromFile, openGrantedSession } from "../views/files.ts";
import { loadFiles, showFilesAlone, useFiles } from "./store.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { lineIdOf, firstSeries, rangeOf } from "./fileLines.ts";
import { addSeries } from "./shownSeries.ts";

/** Opens files that were dropped on the window or chosen in it. */
export async function openFiles(files: readonly File[]): Promise<void> {
  const shown: OpenedFile[] = [];
  for (const file of files) {
    if (file.name.toLowerCase().endsWith(VIEW_FILE_EXTENSION)) await addFromFile(file);
    else shown.push(...(await openAsked(file.name, () => requestGrant(file))));
  }
  sayShown(shown);
}

/** Opens files that the shell granted access to. */
export async function openGrants(grants: readonly FileGrant[]): Promise<void> {
  const shown: OpenedFile[] = [];
  for (const grant of grants) {
    if (grant.kind === "views") await openGrantedSession(grant);
    else shown.push(...(await openAsked(grant.name, () => Promise.resolve(success(grant)))));
  }
  sayShown(shown);
}

/** Opens a file from the list of recent files. */
export async function openRecent({ recentId, name }: RecentFile): Promise<void> {
  sayShown(await openAsked(name, () => bridge.files.openRecent({ recentId })));
}

/** Lets the user choose files, in the system's dialog or, if the shell has none, in the browser's. */
export async function chooseFiles(openFilesBy: "dialog" | "upload"): Promise<void> {
  if (openFilesBy === "dialog") return openChosen(false);
  await openFiles(await pickFiles([...OPENED_EXTENSIONS.map((ending) => `.${ending}`), VIEW_FILE_EXTENSION], true));
}

/** Lets the user choose folders in the system's dialog; the files of each are opened as one. */
export function chooseFolders(): Promise<void> {
  return openChosen(true);
}

async function openChosen(isFolder: boolean): Promise<void> {
  const chosen = await orShowFault(bridge.files.choose({ isFolder }));
  if (chosen.ok) await openGrants(chosen.value);
}

export async function closeFile({ id }: OpenedFile): Promise<void> {
  await orShowFault(bridge.files.close({ fileId: id }));
}

export async function closeAllFiles(): Promise<void> {
  for (const file of useFiles.getState().files) await closeFile(file);
}

/** Opens one file. @returns the file if it is shown; none if it cannot be read, or asks for its columns */
async function openAsked(
  name: string,
  grant: () => Promise<Result<FileGrant, AppFault>>,
): Promise<readonly OpenedFile[]> {
  useFiles.setState((s) => ({ opening: [...s.opening, name] }));
  try {
    const granted = await orShowFault(grant());
    const answer = granted.ok ? await orShowFault(bridge.files.open({ grantId: granted.value.grantId })) : granted;
    if (!answer.ok) return [];
    await loadFiles();
    const isFirst = useConnection.getState().current === null;
    if (isFirst) await showFilesAlone();
    const isShown = useConnection.getState().current !== null || needsColumns(answer.value);
    return isShown && showOrAsk(answer.value, isFirst) ? [answer.value] : [];
  } finally {
    useFiles.setState((s) => ({ opening: s.opening.toSpliced(s.opening.indexOf(name), 1) }));
  }
}

/** Whether the file is shown at once. */
function showOrAsk(file: OpenedFile, showsWhole: boolean): boolean {
  if (needsColumns(file)) openDialog({ kind: "columns", file });
  else showFile(file, showsWhole);
  return !needsColumns(file);
}

/** Whether a text table shows no series until its columns are chosen. */
export function needsColumns({ table, series }: OpenedFile): boolean {
  return table !== undefined && series.length === 0;
}

/** Shows a file after an answer about its columns, or asks its next question. */
export async function showAnswered(file: OpenedFile): Promise<void> {
  await loadFiles();
  const isAlone = useConnection.getState().current?.info.id === FILES_CONNECTION_ID;
  if (showOrAsk(file, isAlone && useFiles.getState().files.length === 1)) sayShown([file]);
}

/** Draws the first series of a file; changes the time range if `showsWhole`, or if it contains no data of the file. */
function showFile(file: OpenedFile, showsWhole: boolean): void {
  const first = firstSeries(file);
  addSeries(first.map((series) => lineIdOf(file.id, series.id)));
  const range = rangeOf(first);
  // The comparison shows files, too: stay there.
  useWorkspace.setState(({ section, view }) => ({
    section: "explore",
    view: section === "explore" && view === "compare" ? view : "series",
  }));
  if (range && (showsWhole || isEmpty(intersectRange(range, useWorkspace.getState().range)))) showRange(range);
}

/** One sentence for all files of an action. */
function sayShown(files: readonly OpenedFile[]): void {
  const [first] = files;
  if (!first) return;
  const place = useConnection.getState().current?.info.id === FILES_CONNECTION_ID ? "" : " beside the cache";
  const who = files.length === 1 ? `${first.name} is` : `${count(files.length)} files are`;
  const series = files.reduce((sum, file) => sum + file.series.length, 0);
  showToast(`${who} open${place}: ${many(series, "series", "series")}.`);
}
