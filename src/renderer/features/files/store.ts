import { create } from "zustand";
import { cleanupOf } from "#shared/async.ts";
import type { FileSeries, OpenedFile } from "#shared/file/opened.ts";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { openConnection } from "../../stores/connection.ts";
import { orShowFault, showToast } from "../../stores/toasts.ts";

interface FilesState {
  /** In the order of opening; the same in every window. */
  readonly files: readonly OpenedFile[];
  /** Names of the files being read. */
  readonly opening: readonly string[];
}

/** The files that are open beside the cache. */
export const useFiles = create<FilesState>(() => ({ files: [], opening: [] }));

export async function loadFiles(): Promise<void> {
  const answer = await bridge.files.list({});
  if (!answer.ok) return;
  listed = answer.value;
  updateNames();
}

/** The files as listed by the core, without names from the catalogue. */
let listed: readonly OpenedFile[] = [];

function updateNames(): void {
  useFiles.setState({ files: withNames(listed, useCatalogue.getState().byId) });
}

/** Reports the files that were closed by a restart of the core; only the user can open them again. */
async function reloadAfterRestart(): Promise<void> {
  const before = useFiles.getState().files;
  await loadFiles();
  const { files } = useFiles.getState();
  const closed = before.filter(({ id }) => !files.some((f) => f.id === id)).map(({ name }) => name);
  if (closed.length > 0)
    showToast(
      `Closed because the core restarted: ${closed.join(", ")}. Open ${closed.length === 1 ? "it" : "them"} again.`,
    );
}

/** Follows the list of open files. Returns a function that stops it. */
export function followFiles(): () => void {
  void loadFiles();
  return cleanupOf(
    bridge.on("filesChanged", () => void loadFiles()),
    bridge.on("coreRestarted", () => void reloadAfterRestart()),
    useCatalogue.subscribe(({ byId }, before) => byId !== before.byId && listed.length > 0 && updateNames()),
  );
}

/** Replaces station ids in labels by the names of the open catalogue: exported tables may contain ids only. */
export function withNames(
  files: readonly OpenedFile[],
  byId: ReadonlyMap<string, KnownStation>,
): readonly OpenedFile[] {
  const named = (series: FileSeries): FileSeries => {
    const { stationId, label } = series;
    const station = stationId ? byId.get(stationId) : undefined;
    if (!station || !label.startsWith(station.id)) return series;
    return { ...series, label: stationLabel(station) + label.slice(station.id.length) };
  };
  return files.map((file) => ({ ...file, series: file.series.map(named) }));
}

/** Shows the opened files without the stations of a service. */
export async function showFilesAlone(): Promise<void> {
  const answer = await orShowFault(bridge.connections.files({}));
  if (answer.ok) await openConnection(answer.value.id);
}

/** Shows the files that were open before the page was reloaded, if there are any: they stay open until the program ends. */
export async function showKeptFiles(): Promise<void> {
  await loadFiles();
  if (useFiles.getState().files.length > 0) await showFilesAlone();
}
