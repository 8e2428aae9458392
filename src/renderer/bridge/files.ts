import { UPLOAD_PATH } from "#shared/bridge/transport/webShell.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import type { FileGrant } from "#shared/file/opened.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { showToast } from "../stores/toasts.ts";
import { currentSecret } from "./secret.ts";
import { callShell, uploadToShell } from "./webShell.ts";

/** Requests a grant for a file that the user dropped or chose: from the desktop shell, or by uploading it to the web shell. */
export async function requestGrant(file: File): Promise<Result<FileGrant, AppFault>> {
  try {
    const granted = window.zenithShell ? (await window.zenithShell.grantFiles([file]))[0] : await upload(file);
    return granted ? success(granted) : failure(usageFault(`${file.name} is not a file on this computer.`));
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : `${file.name} could not be read.`;
    return failure({ kind: "disk", message, cause: null });
  }
}

async function upload(file: File): Promise<FileGrant> {
  // A dropped folder arrives as a file that cannot be read.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new Error(`${file.name} cannot be read. Open a folder as a zip archive of its files.`);
    });
  const response = await uploadToShell(
    `${UPLOAD_PATH}?name=${encodeURIComponent(file.name)}`,
    currentSecret() ?? "",
    file,
  );
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as FileGrant;
}

/**
 * Downloads a file from the web shell through the browser. The browser's request does not carry the page's secret, so
 * the page first obtains a ticket, which is valid for one download.
 *
 * @param href path of the file, as given by the core
 */
export async function download(href: string, name: string): Promise<void> {
  const secret = currentSecret() ?? "";
  const response = await callShell("ticket", secret, `?path=${encodeURIComponent(href)}`).catch(() => null);
  if (!response?.ok) return showToast("The download could not be started: Zenith Desk does not answer. Try again.");
  const link = document.createElement("a");
  link.href = (await response.text()).trim();
  link.download = name;
  link.click();
}
