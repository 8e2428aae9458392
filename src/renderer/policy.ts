// Makes libraries comply with the page's content security policy. This is a chunk of its own without imports, which the
// page runs before all others: in one chunk with a library, it would run too late.

/** Zod's configuration, under the global name that all its copies read: without it, the first schema tries to compile text as code. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** An interface of the browser that TypeScript's library does not declare yet; absent in browsers without Trusted Types. */
interface TrustedTypePolicies {
  createPolicy(name: string, rules: { readonly createHTML: (text: string) => string | null }): unknown;
}

/** Matches an empty text or one named character: React Aria empties its announcer, and the Markdown parser decodes `&amp;`. */
const WITHOUT_MARKUP = /^(&[a-z\d]{1,40};)?$/i;

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypePolicies };
// The browser calls this for each text that is assigned as HTML; null rejects it.
trustedTypes?.createPolicy("default", { createHTML: (text) => (WITHOUT_MARKUP.test(text) ? text : null) });
