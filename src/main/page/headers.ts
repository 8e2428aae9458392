/** What a shell adds to the policy that all shells share. */
export interface PolicyOptions {
  /** Where the page may connect beside its own origin, as CSP sources; the web shell's WebSocket, for one. */
  readonly connect?: readonly string[];
}

/**
 * The one style element that a library makes at run time: React Aria's rule that keeps presses quick on touch screens.
 * Its hash lets exactly this text in, so that no other inline style has to be allowed.
 */
export const PRESS_STYLE = `@layer {
  [data-react-aria-pressable] {
    touch-action: pan-x pan-y pinch-zoom;
  }
}`;
const PRESS_STYLE_HASH = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='";

/** The policy of the page: nothing from anywhere but its own origin, no inline code, nothing that leads out. */
export function contentSecurityPolicy({ connect = [] }: PolicyOptions = {}): string {
  const directives: Readonly<Record<string, readonly string[]>> = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'", PRESS_STYLE_HASH],
    "img-src": ["'self'", "data:", "blob:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...connect],
    "worker-src": ["'none'"],
    // No text becomes HTML or a script but what the page's one policy lets through (`renderer/policy.ts`).
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

/** The headers that go with every answer of a shell to its page, whatever it answers. */
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
