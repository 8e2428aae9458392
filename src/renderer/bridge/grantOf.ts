import type { FileGrant } from "#shared/file/opened.ts";
import { UPLOAD_PATH } from "#shared/bridge/transport/webShell.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { currentSecret } from "./secret.ts";
import { sendToShell } from "./webShell.ts";
import { failure, type Result, success } from "#shared/service/error.ts";

/** Leave to open a file that was dropped on the page or chosen in it: from the desktop shell, or by sending it to the web shell. */
export async function grantOf(file: File): Promise<Result<FileGrant, AppFault>> {
  try {
    const granted = window.zenithShell ? (await window.zenithShell.grantFiles([file]))[0] : await uploaded(file);
    return granted ? success(granted) : failure(usageFault(`${file.name} is no file on this computer.`));
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : `${file.name} could not be read.`;
    return failure({ kind: "disk", message, cause: null });
  }
}

async function uploaded(file: File): Promise<FileGrant> {
  // A page gets folders as files that it cannot read.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new Error(`${file.name} cannot be read. Open a folder as a zip archive of its files.`);
    });
  const answer = await sendToShell(`${UPLOAD_PATH}?name=${encodeURIComponent(file.name)}`, currentSecret() ?? "", file);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as FileGrant;
}
