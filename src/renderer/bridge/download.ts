import { currentSecret } from "./secret.ts";
import { askShell } from "./webShell.ts";
import { showToast } from "../stores/toasts.ts";

/**
 * Lets the browser save a file that the web shell offers. The browser asks for it without the secret of the page, so the
 * page gets a ticket for it, which is good once.
 *
 * @param href as the core names the file
 */
export async function download(href: string, name: string): Promise<void> {
  const secret = currentSecret() ?? "";
  const answer = await askShell("ticket", secret, `?path=${encodeURIComponent(href)}`).catch(() => null);
  if (!answer?.ok) return showToast("The download could not be started: Zenith Desk does not answer. Try again.");
  const link = document.createElement("a");
  link.href = (await answer.text()).trim();
  link.download = name;
  link.click();
}
