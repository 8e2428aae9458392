import { FILES_CONNECTION_ID } from "#shared/connection.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ChosenColumns } from "#shared/file/columns.ts";
import { type FileGrant, OPENED_ENDINGS, type OpenedFile, type RecentFile } from "#shared/file/opened.ts";
import { isEmpty, intersectRange } from "#shared/time/range.ts";
import { VIEW_FILE_ENDING } from "#shared/views/file.ts";
import { bridge } from "../../bridge/index.ts";
import { requestGrant } from "../../bridge/fileGrant.ts";
import { useConnection } from "../../stores/connection.ts";
import { showRange } from "../../stores/range.ts";
import { showFault, showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { many } from "../../ui/text.ts";
import { addFromFile } from "../views/files.ts";
import { openGrantedSession } from "../views/openSession.ts";
import { showFilesAlone } from "./alone.ts";
import { chooseColumnsOf } from "./columns.ts";
import { lineIdOf } from "./lineId.ts";
import { firstSeries, rangeOf } from "./choice.ts";
import { tick } from "./shown.ts";
import { loadFiles, useFiles } from "./store.ts";

/** Opens files that were dropped on the window or chosen in it. */
export async function openFiles(files: readonly File[]): Promise<void> {
  for (const file of files) {
    if (file.name.toLowerCase().endsWith(VIEW_FILE_ENDING)) {
      await addFromFile(file);
      continue;
    }
    await whileOpening(file.name, async () => {
      const granted = await requestGrant(file);
      if (granted.ok) await openGranted(granted.value);
      else showFault(granted.error);
    });
  }
}

/** Opens files that the shell gave leave for. */
export async function openGrants(grants: readonly FileGrant[]): Promise<void> {
  for (const grant of grants) {
    if (grant.kind === "views") await openGrantedSession(grant);
    else await whileOpening(grant.name, () => openGranted(grant));
  }
}

/** Opens a file that was opened before. */
export async function openRecent({ recentId, name }: RecentFile): Promise<void> {
  await whileOpening(name, async () => {
    const granted = await bridge.files.openRecent({ recentId });
    if (granted.ok) await openGranted(granted.value);
    else showFault(granted.error);
  });
}

/** Lets the user choose files: in the system's dialog, or in the page where the shell has none. */
export async function chooseFiles(openFilesBy: "dialog" | "upload"): Promise<void> {
  if (openFilesBy === "dialog") {
    const chosen = await bridge.files.choose({});
    return chosen.ok ? openGrants(chosen.value) : showFault(chosen.error);
  }
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = [...OPENED_ENDINGS.map((ending) => `.${ending}`), VIEW_FILE_ENDING].join();
  input.addEventListener("change", () => void openFiles([...(input.files ?? [])]));
  input.click();
}

/** Lets the user choose folders in the system's dialog: the files in each are opened as one. */
export async function chooseFolders(): Promise<void> {
  const chosen = await bridge.files.choose({ isFolder: true });
  return chosen.ok ? openGrants(chosen.value) : showFault(chosen.error);
}

export async function closeFile({ id }: OpenedFile): Promise<void> {
  const answer = await bridge.files.close({ fileId: id });
  if (!answer.ok) showFault(answer.error);
}

export async function closeAllFiles(): Promise<void> {
  for (const file of useFiles.getState().files) await closeFile(file);
}

async function whileOpening(name: string, work: () => Promise<void>): Promise<void> {
  useFiles.setState((s) => ({ opening: [...s.opening, name] }));
  try {
    await work();
  } finally {
    useFiles.setState((s) => ({
      opening: s.opening.filter((each, i) => i !== s.opening.indexOf(name) || each !== name),
    }));
  }
}

async function openGranted({ grantId }: FileGrant): Promise<void> {
  const answer = await bridge.files.open({ grantId });
  if (!answer.ok) return showFault(answer.error);
  await loadFiles();
  const isFirst = useConnection.getState().current === null;
  if (isFirst) await showFilesAlone();
  if (needsColumns(answer.value)) chooseColumnsOf(answer.value);
  else if (useConnection.getState().current !== null) show(answer.value, isFirst);
}

/** Whether a table of text has nothing to show until its columns are chosen. */
export function needsColumns({ table, series }: OpenedFile): boolean {
  return table !== undefined && series.length === 0;
}

/** Opens a table of text again with these columns. @returns why that is not possible */
export async function openWithColumns(file: OpenedFile, columns: ChosenColumns): Promise<AppFault | null> {
  const answer = await bridge.files.chooseColumns({ fileId: file.id, columns });
  if (!answer.ok) return answer.error;
  await loadFiles();
  const isAlone = useConnection.getState().current?.info.id === FILES_CONNECTION_ID;
  show(answer.value, isAlone && useFiles.getState().files.length === 1);
  return null;
}

/** Draws what a person opened the file for: `wholly`, or in a time range where there is something of it. */
function show(file: OpenedFile, wholly: boolean): void {
  const first = firstSeries(file);
  tick(
    first.map((series) => lineIdOf(file.id, series.id)),
    true,
  );
  const range = rangeOf(first);
  // The comparison shows the file as well; whoever opens one there goes on comparing.
  useWorkspace.setState(({ room, view }) => ({
    room: "explore",
    view: room === "explore" && view === "compare" ? view : "series",
  }));
  if (range && (wholly || isEmpty(intersectRange(range, useWorkspace.getState().range)))) showRange(range);
  const where = useConnection.getState().current?.info.id === FILES_CONNECTION_ID ? "" : " beside the cache";
  showToast(`${file.name} is open${where}: ${many(file.series.length, "series", "series")}.`);
}
