import { ACCEPTED_ENDINGS } from "./endings.ts";
import type { FileGrant, OpenedFile } from "#shared/file/opened.ts";
import { isEmpty, intersectRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { grantOf } from "../../bridge/grantOf.ts";
import { showFault, showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { many } from "../../ui/text.ts";
import { openGrantedSession } from "../views/openSession.ts";
import { lineIdOf } from "./lineId.ts";
import { firstSeries, rangeOf } from "./choice.ts";
import { tick } from "./shown.ts";
import { loadFiles, useFiles } from "./store.ts";

/** Opens files that were dropped on the window or chosen in it. */
export async function openFiles(files: readonly File[]): Promise<void> {
  for (const file of files) {
    await whileOpening(file.name, async () => {
      const granted = await grantOf(file);
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

/** Lets the user choose files: in the system's dialog, or in the page where the shell has none. */
export async function chooseFiles(openFilesBy: "dialog" | "upload"): Promise<void> {
  if (openFilesBy === "dialog") {
    const chosen = await bridge.files.choose({});
    return chosen.ok ? openGrants(chosen.value) : showFault(chosen.error);
  }
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = ACCEPTED_ENDINGS.join();
  input.addEventListener("change", () => void openFiles([...(input.files ?? [])]));
  input.click();
}

export async function closeFile({ id }: OpenedFile): Promise<void> {
  const answer = await bridge.files.close({ fileId: id });
  if (!answer.ok) showFault(answer.error);
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
  show(answer.value);
}

/** Draws what a person opened the file for, in a time range where there is something of it. */
function show(file: OpenedFile): void {
  const first = firstSeries(file);
  tick(
    first.map((series) => lineIdOf(file.id, series.id)),
    true,
  );
  const range = rangeOf(first);
  useWorkspace.setState((s) => ({
    room: "explore",
    view: "series",
    ...(range && isEmpty(intersectRange(range, s.range)) ? { range } : {}),
  }));
  showToast(`${file.name} is open beside the cache: ${many(file.series.length, "series", "series")}.`);
}
