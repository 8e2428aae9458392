import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { hostname } from "node:os";

/**
 * The two secrets of a shell, 256 bits each, new with every start. The token stands in the printed address; whoever
 * brings it gets the cookie, so that the token itself leaves the address bar and the history at once.
 */
export interface Pass {
  readonly token: string;
  /** `Set-Cookie` for who brought the token. */
  readonly setCookie: string;
  isToken(given: string | null): boolean;
  /** Whether a `Cookie` header holds the cookie. */
  isIn(cookieHeader: string | undefined): boolean;
}

/** @param dataFolder two shells on one computer share their name in the browser, so each folder has a cookie of its own */
export function createPass(dataFolder: string): Pass {
  const token = randomBytes(32).toString("base64url");
  const cookie = randomBytes(32).toString("base64url");
  const name = `zenith_${digest(`${hostname()}\n${dataFolder}`).toString("hex").slice(0, 12)}`;
  return {
    token,
    setCookie: `${name}=${cookie}; Path=/; HttpOnly; SameSite=Strict`,
    isToken: (given) => given !== null && areEqual(given, token),
    isIn: (header = "") => header.split(";").some((pair) => valueOf(pair, name, cookie)),
  };
}

function valueOf(pair: string, name: string, cookie: string): boolean {
  const [key = "", value = ""] = pair.trim().split("=", 2);
  return key === name && areEqual(value, cookie);
}

/** By their digests: the time it takes tells neither how much was right nor how long the secret is. */
function areEqual(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
