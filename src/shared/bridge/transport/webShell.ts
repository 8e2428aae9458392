/**
 * Where the web shell takes a file to open: `POST /open?name=<name>` on its own origin, the file itself as the body.
 * 200: a `FileGrant` as JSON. Any other status: a sentence as text.
 */
export const UPLOAD_PATH = "/open";
export const MOST_UPLOAD_BYTES = 4_000_000_000;

/**
 * What the page and the web shell say to each other beside the bridge itself.
 *
 * A link signs one browser in, once: `http://127.0.0.1:PORT/#link=TOKEN`. The page takes the token off its address and
 * sends it by `sign-in`, which answers the secret of the browser. The secret is kept by the page alone, goes with every
 * request that opens something, and is never in an address or a cookie: a browser sends cookies to every port of a computer.
 */
export const LINK_MARK = "#link=";

/** `POST /shell/<call>` with `Authorization: Bearer <secret>`; 401 where the secret, or the link, opens nothing. */
export const SHELL_PATH = "/shell/";

export const SHELL_CALLS = [
  /** With the token of a link in place of the secret. 200: the secret, as text. */
  "sign-in",
  /** 204 where the secret is good. */
  "check",
  /** 200: the token of a new link, as text. */
  "link",
  /** 204: no secret, link or ticket that was given out opens anything any more, and all windows are closed. */
  "sign-out",
  /** `?path=<path of a download>`. 200: a path that gives the file once, as text. */
  "ticket",
  /** 204: the core was ended, and another one is being started. */
  "restart",
] as const;
export type ShellCall = (typeof SHELL_CALLS)[number];

/** The secret goes with a WebSocket as a second protocol, because a page can give it no header. */
export const SOCKET_PROTOCOL = "zenith";
export const SECRET_PROTOCOL_START = "zenith.secret.";

/** The socket was closed by `sign-out`: to come again with the same secret is of no use. */
export const SIGNED_OUT_CODE = 4001;

/** What the shell tells a window in a text frame; the core's messages are binary. */
export interface ShellNews {
  /** Whether the core answers the shell; told when it changes, and to a new window where it does not. */
  readonly core: "answers" | "silent";
}

/** Without anything that has a meaning in an address, a header or a page. */
export const TOKEN = /^[\w-]{43}$/;
