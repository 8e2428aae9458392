import tls from "node:tls";

/** For each thread has certificates of its own. */
let isTrusted = false;

/**
 * Trusts whom the system trusts, beside those that Node brings: behind a proxy that looks into encrypted traffic only the
 * system knows who issues certificates. Reading them takes a tenth of a second and more, so that it is done for the one
 * who needs them.
 *
 * @returns whether anything changed
 */
export function trustSystem(): boolean {
  if (isTrusted) return false;
  isTrusted = true;
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), ...tls.getCACertificates("system")]);
  return true;
}
