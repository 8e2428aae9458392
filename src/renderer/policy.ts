// What the page's content security policy asks of the libraries in it. A chunk of its own without imports, which the page
// runs before all others: what a bundler puts into one chunk with a library would come too late.

/** Zod's configuration, under the name by which its copies share it: the first schema tries whether text can be compiled. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** The browser's own interface; TypeScript's library does not describe it yet. Absent in browsers without Trusted Types. */
interface TrustedTypePolicies {
  createPolicy(name: string, rules: { readonly createHTML: (text: string) => string | null }): unknown;
}

/** Nothing, or one named character: React Aria empties its announcer, and the Markdown parser decodes `&amp;`. */
export const WITHOUT_MARKUP = /^(&[a-z\d]{1,40};)?$/i;

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypePolicies };
// Asked by the browser for each text that is assigned as HTML; `null` refuses it.
trustedTypes?.createPolicy("default", { createHTML: (text) => (WITHOUT_MARKUP.test(text) ? text : null) });
