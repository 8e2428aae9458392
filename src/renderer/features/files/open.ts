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
import { orShowFault } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { pickFiles } from "../../ui/pickFiles.ts";
import { addFromFile, openSessionFile } from "../views/files.ts";
import { loadFiles, showFilesAlone, useFiles } from "./store.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { lineIdOf, firstSeries, rangeOf } from "./fileLines.ts";
import { addSeries } from "./shownSeries.ts";

/** Opens files that were dropped on the window or chosen in it. */
export async function openFiles(files: readonly File[]): Promise<void> {
  for (const file of files) {
    if (file.name.toLowerCase().endsWith(VIEW_FILE_EXTENSION)) await addFromFile(file);
    else await openAsked(file.name, requestGrant(file));
  }
}

/** Opens files that the shell granted access to. */
export async function openGrants(grants: readonly FileGrant[]): Promise<void> {
  for (const grant of grants) {
    const open = grant.kind === "views" ? openSessionFile : openAsked;
    await open(grant.name, Promise.resolve(success(grant)));
  }
}

export function openRecent({ recentId, name }: RecentFile): Promise<void> {
  return openAsked(name, bridge.files.openRecent({ recentId }));
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

/** Opens one file, and shows it or asks for its columns. */
async function openAsked(name: string, grant: Promise<Result<FileGrant, AppFault>>): Promise<void> {
  useFiles.setState((s) => ({ opening: [...s.opening, name] }));
  try {
    const granted = await orShowFault(grant);
    const answer = granted.ok ? await orShowFault(bridge.files.open({ grantId: granted.value.grantId })) : granted;
    if (!answer.ok) return;
    await loadFiles();
    const isFirst = useConnection.getState().current === null;
    if (isFirst) await showFilesAlone();
    if (useConnection.getState().current !== null || needsColumns(answer.value)) showOrAsk(answer.value, isFirst);
  } finally {
    useFiles.setState((s) => ({ opening: s.opening.toSpliced(s.opening.indexOf(name), 1) }));
  }
}

function showOrAsk(file: OpenedFile, showsWhole: boolean): void {
  if (needsColumns(file)) openDialog({ kind: "columns", file });
  else showFile(file, showsWhole);
}

/** Whether a text table shows no series until its columns are chosen. */
export function needsColumns({ table, series }: OpenedFile): boolean {
  return table !== undefined && series.length === 0;
}

/** Shows a file after an answer about its columns, or asks its next question. */
export async function showAnswered(file: OpenedFile): Promise<void> {
  await loadFiles();
  const isAlone = useConnection.getState().current?.info.id === FILES_CONNECTION_ID;
  showOrAsk(file, isAlone && useFiles.getState().files.length === 1);
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
