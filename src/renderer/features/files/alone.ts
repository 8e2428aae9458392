import { bridge } from "../../bridge/index.ts";
import { openConnection } from "../../stores/connection.ts";
import { showFault } from "../../stores/toasts.ts";
import { loadFiles, useFiles } from "./store.ts";

/** Shows the opened files without the stations of a service. */
export async function showFilesAlone(): Promise<void> {
  const answer = await bridge.connections.files({});
  if (!answer.ok) return showFault(answer.error);
  await openConnection(answer.value.id);
}

/** Shows the files that were open before the page was reloaded, if there are any: they stay open until the program ends. */
export async function showKeptFiles(): Promise<void> {
  await loadFiles();
  if (useFiles.getState().files.length > 0) await showFilesAlone();
}
