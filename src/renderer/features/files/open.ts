import { FILES_CONNECTION_ID } from "#shared/connection.ts";
import { type FileGrant, OPENED_EXTENSIONS, type OpenedFile, type RecentFile } from "#shared/file/opened.ts";
import { isEmpty, intersectRange } from "#shared/time/range.ts";
import { VIEW_FILE_EXTENSION } from "#shared/views/file.ts";
import { bridge } from "../../bridge/index.ts";
import { requestGrant } from "../../bridge/files.ts";
import { useConnection } from "../../stores/connection.ts";
import { showRange } from "../../stores/range.ts";
import { orShowFault, showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { pickFiles } from "../../ui/pickFiles.ts";
import { many } from "../../ui/text.ts";
import { addFromFile, openGrantedSession } from "../views/files.ts";
import { loadFiles, showFilesAlone, useFiles } from "./store.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { lineIdOf, firstSeries, rangeOf } from "./fileLines.ts";
import { addSeries } from "./shownSeries.ts";

/** Opens files that were dropped on the window or chosen in it. */
export async function openFiles(files: readonly File[]): Promise<void> {
  for (const file of files) {
    if (file.name.toLowerCase().endsWith(VIEW_FILE_EXTENSION)) {
      await addFromFile(file);
      continue;
    }
    await whileOpening(file.name, async () => {
      const granted = await orShowFault(requestGrant(file));
      if (granted.ok) await openGranted(granted.value);
    });
  }
}

/** Opens files that the shell granted access to. */
export async function openGrants(grants: readonly FileGrant[]): Promise<void> {
  for (const grant of grants) {
    if (grant.kind === "views") await openGrantedSession(grant);
    else await whileOpening(grant.name, () => openGranted(grant));
  }
}

/** Opens a file from the list of recent files. */
export async function openRecent({ recentId, name }: RecentFile): Promise<void> {
  await whileOpening(name, async () => {
    const granted = await orShowFault(bridge.files.openRecent({ recentId }));
    if (granted.ok) await openGranted(granted.value);
  });
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

async function whileOpening(name: string, work: () => Promise<void>): Promise<void> {
  useFiles.setState((s) => ({ opening: [...s.opening, name] }));
  try {
    await work();
  } finally {
    useFiles.setState((s) => ({ opening: s.opening.toSpliced(s.opening.indexOf(name), 1) }));
  }
}

async function openGranted({ grantId }: FileGrant): Promise<void> {
  const answer = await orShowFault(bridge.files.open({ grantId }));
  if (!answer.ok) return;
  await loadFiles();
  const isFirst = useConnection.getState().current === null;
  if (isFirst) await showFilesAlone();
  if (useConnection.getState().current !== null || needsColumns(answer.value)) showOrAsk(answer.value, isFirst);
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
  const place = useConnection.getState().current?.info.id === FILES_CONNECTION_ID ? "" : " beside the cache";
  showToast(`${file.name} is open${place}: ${many(file.series.length, "series", "series")}.`);
}
