import type { SharedFile, ShareSelection } from "#shared/bridge/methods/views.ts";
import type { Capabilities } from "#shared/bridge/methods/system.ts";
import type { AppFault } from "#shared/fault.ts";
import { VIEW_FILE_EXTENSION } from "#shared/views/file.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { download } from "../../bridge/files.ts";
import { bridge } from "../../bridge/index.ts";
import { fileNameOf } from "./files.ts";

interface ShareWork {
  readonly connectionId: string;
  readonly selection: ShareSelection;
  readonly author: string;
  readonly tellsAddress: boolean;
  readonly fileName: string;
  readonly workId: string;
  readonly signal: AbortSignal;
}

/** Returns the file name of a session with these views. */
export function sessionFileName(names: readonly string[]): string {
  const [first] = names;
  const name = names.length === 1 && first ? fileNameOf(first) : names.length > 1 ? "views" : "session";
  return `${name}${VIEW_FILE_EXTENSION}`;
}

/** Writes a session file with data to a destination chosen by the user; null if the user cancelled. */
export async function shareData(
  work: ShareWork,
  { fileDialogs }: Pick<Capabilities, "fileDialogs">,
): Promise<Result<SharedFile | null, AppFault>> {
  const { connectionId, selection, author, tellsAddress, fileName, workId, signal } = work;
  let path: string | null = null;
  if (fileDialogs) {
    const chosen = await bridge.system.chooseSaveFile({
      suggestedName: fileName,
      extensions: [VIEW_FILE_EXTENSION.slice(1)],
    });
    if (!chosen.ok) return failure(chosen.error);
    if (chosen.value === null) return success(null);
    path = chosen.value;
  }
  const destination =
    path === null ? ({ kind: "download", name: fileName } as const) : ({ kind: "file", path } as const);
  const given = { connectionId, ...selection, author: author.trim() || null, tellsAddress, destination, workId };
  const answer = await bridge.views.writeFile(given, { signal });
  if (answer.ok && answer.value.href !== null) await download(answer.value.href, answer.value.name);
  return answer;
}
