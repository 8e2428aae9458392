import { LINK_MARK, SHELL_PATH, type ShellCall } from "#shared/bridge/transport/webShell.ts";

/** Asks something of the shell that served the page, with a secret or the token of a link. */
export function askShell(call: ShellCall, secret: string, query = ""): Promise<Response> {
  return ask(SHELL_PATH + call + query, secret);
}

/** Sends a body to the shell that served the page. */
export function sendToShell(path: string, secret: string, body: Blob): Promise<Response> {
  return ask(path, secret, body);
}

/** The address that signs a browser in, as this page reaches the shell: perhaps through a tunnel. */
export function linkOf(token: string): string {
  return `${location.origin}/${LINK_MARK}${token}`;
}

function ask(path: string, secret: string, body?: Blob): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}` };
  // oxlint-disable-next-line no-restricted-globals -- to the page's own origin, which the shell serves: no service is behind it
  return fetch(path, { method: "POST", headers, credentials: "omit", ...(body ? { body } : {}) });
}
