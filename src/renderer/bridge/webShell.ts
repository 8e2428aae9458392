import { LINK_MARK, SHELL_PATH, type ShellCall } from "#shared/bridge/transport/webShell.ts";

/** Calls the shell that served the page, with the secret or the token of a link. */
export function callShell(call: ShellCall, secret: string, query = ""): Promise<Response> {
  return post(SHELL_PATH + call + query, secret);
}

/** Uploads a body to the shell that served the page. */
export function uploadToShell(path: string, secret: string, body: Blob): Promise<Response> {
  return post(path, secret, body);
}

/** Returns the link that signs a browser in, with the origin by which this page reaches the shell (perhaps a tunnel). */
export function signInLink(token: string): string {
  return `${location.origin}/${LINK_MARK}${token}`;
}

function post(path: string, secret: string, body?: Blob): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}` };
  // oxlint-disable-next-line no-restricted-globals -- to the page's own origin: the shell, not a measurement service
  return fetch(path, { method: "POST", headers, credentials: "omit", ...(body ? { body } : {}) });
}
