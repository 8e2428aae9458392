import { create } from "zustand";
import type { OpenedFile, FileSeries } from "#shared/file/opened.ts";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { showToast } from "../../stores/toasts.ts";

interface FilesState {
  /** In the order in which they were opened; the same in every window. */
  readonly files: readonly OpenedFile[];
  /** Names of those that are being read. */
  readonly opening: readonly string[];
}

/** Files that are open beside the cache. */
export const useFiles = create<FilesState>(() => ({ files: [], opening: [] }));

export async function loadFiles(): Promise<void> {
  const answer = await bridge.files.list({});
  if (!answer.ok) return;
  told = answer.value;
  nameThem();
}

/** As the core tells them. */
let told: readonly OpenedFile[] = [];

function nameThem(): void {
  useFiles.setState({ files: withNames(told, useCatalogue.getState().byId) });
}

/** Says which files went with the engine: they were open in it, and only the user can open them again. */
async function goOn(): Promise<void> {
  const before = useFiles.getState().files;
  await loadFiles();
  const { files } = useFiles.getState();
  const gone = before.filter((was) => !files.some((f) => f.id === was.id)).map((was) => was.name);
  if (gone.length > 0)
    showToast(
      `Closed because the engine restarted: ${gone.join(", ")}. Open ${gone.length === 1 ? "it" : "them"} again.`,
    );
}

/** Until the returned function is called. */
export function followFiles(): () => void {
  void loadFiles();
  const off = [
    bridge.on("filesChanged", () => void loadFiles()),
    bridge.on("engineRestarted", () => void goOn()),
    useCatalogue.subscribe(({ byId }, before) => byId !== before.byId && told.length > 0 && nameThem()),
  ];
  return () => {
    for (const each of off) each();
  };
}

/** A table of ours may have no names in it: a station that it tells by its id is called as the catalogue in sight calls that id. */
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
