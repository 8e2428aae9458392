import { currentSecret } from "./secret.ts";
import { callShell } from "./webShell.ts";
import { showToast } from "../stores/toasts.ts";

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
