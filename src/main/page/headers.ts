/** Additions of a shell to the common policy. */
export interface PolicyOptions {
  /** Additional CSP sources that the page may connect to, such as the web shell's WebSocket. */
  readonly connect?: readonly string[];
}

/**
 * The one style element that a library creates at run time: React Aria's rule for fast presses on touch screens. Its hash
 * allows exactly this text, so that no other inline style is allowed.
 */
export const PRESS_STYLE = `@layer {
  [data-react-aria-pressable] {
    touch-action: pan-x pan-y pinch-zoom;
  }
}`;
const PRESS_STYLE_HASH = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='";

/** The content security policy of the page: only its own origin, no inline code, no navigation to other sites. */
export function contentSecurityPolicy({ connect = [] }: PolicyOptions = {}): string {
  const directives: Readonly<Record<string, readonly string[]>> = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'", PRESS_STYLE_HASH],
    "img-src": ["'self'", "data:", "blob:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...connect],
    "worker-src": ["'none'"],
    // Text can become HTML or script only through the page's policy (`renderer/policy.ts`).
    "require-trusted-types-for": ["'script'"],
    "trusted-types": ["default"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(" "))
    .join("; ");
}

/** The headers of every response of a shell. */
export function securityHeaders(options: PolicyOptions = {}): Readonly<Record<string, string>> {
  return {
    "content-security-policy": contentSecurityPolicy(options),
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), usb=(), serial=(), hid=(), payment=()",
  };
}
