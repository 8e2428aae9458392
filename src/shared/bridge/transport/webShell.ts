/**
 * Upload of a file to open in the web shell: `POST /open?name=<name>` on its own origin, with the file as the body.
 * 200: a `FileGrant` as JSON. Any other status: a sentence as text.
 */
export const UPLOAD_PATH = "/open";
export const MAX_UPLOAD_BYTES = 4_000_000_000;

/**
 * The protocol between page and web shell beside the bridge itself.
 *
 * A link signs one browser in, once: `http://127.0.0.1:PORT/#link=TOKEN`. The page removes the token from its address
 * and sends it by `sign-in`, which answers a secret. Only the page stores the secret. It is sent with every request that
 * needs authorization, but never in an address or a cookie: a browser sends cookies to every port of a computer.
 */
export const LINK_MARK = "#link=";

/** `POST /shell/<call>` with `Authorization: Bearer <secret>`; 401 if the secret or the link is invalid. */
export const SHELL_PATH = "/shell/";

export const SHELL_CALLS = [
  /** `?nonce=<token>`, without the secret. 200: `shellProof` of the secret that only the shell and its user know. */
  "prove",
  /** With the token of a link instead of the secret. 200: the secret, as text. */
  "sign-in",
  /** 204 if the secret is valid. */
  "check",
  /** 200: the token of a new link, as text. */
  "link",
  /** 204: all secrets, links and tickets were revoked and all windows closed. */
  "sign-out",
  /** `?path=<path of a download>`. 200: a path that serves the file once, as text. */
  "ticket",
  /** 204: the core was ended, and a new one is being started. */
  "restart",
] as const;
export type ShellCall = (typeof SHELL_CALLS)[number];

/** A WebSocket carries the secret as a second subprotocol, because a page cannot set its headers. */
export const SOCKET_PROTOCOL = "zenith";
export const SECRET_PROTOCOL_START = "zenith.secret.";

/** Close code after `sign-out`: the page must not reconnect with the same secret. */
export const SIGNED_OUT_CODE = 4001;

/** Message of the shell to a window, in a text frame; the core's messages are binary. */
export interface ShellNews {
  /** Whether the core responds; sent on each change, and to a new window if it does not. */
  readonly core: "answers" | "silent";
}

/** Tokens consist of characters without a special meaning in addresses, headers and HTML. */
export const TOKEN = /^[\w-]{43}$/;
