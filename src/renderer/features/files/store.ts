import { create } from "zustand";
import type { OpenedFile } from "#shared/file/opened.ts";
import { bridge } from "../../bridge/index.ts";

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
  if (answer.ok) useFiles.setState({ files: answer.value });
}

/** Until the returned function is called. */
export function followFiles(): () => void {
  void loadFiles();
  const off = [bridge.on("filesChanged", () => void loadFiles()), bridge.on("engineRestarted", () => void loadFiles())];
  return () => {
    for (const each of off) each();
  };
}
