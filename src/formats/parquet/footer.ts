import { createHash } from "node:crypto";

// Parquet has checksums of pages, and none of its footer, which has the names of columns and stations. Ours has one.

/** Key of the SHA-256 of the footer, in hex, computed with zeros in its place. */
export const FOOTER_KEY = "footer_sha256";
export const FOOTER_ZEROS = "0".repeat(64);

/** Returns the footer with its checksum in the place of the zeros. @param footer from the metadata to the length */
export function withFooterChecksum(footer: Buffer): Buffer {
  const at = footer.indexOf(FOOTER_ZEROS);
  const sealed = Buffer.from(footer);
  sealed.write(footerChecksum(footer), at, "latin1");
  return sealed;
}

/** Whether a footer has the checksum that its metadata states. */
export function isFooterIntact(footer: Buffer, stated: string | undefined): boolean {
  const at = stated?.length === FOOTER_ZEROS.length ? footer.indexOf(stated) : -1;
  if (at < 0) return false;
  const plain = Buffer.from(footer);
  plain.write(FOOTER_ZEROS, at, "latin1");
  return footerChecksum(plain) === stated;
}

function footerChecksum(footer: Buffer): string {
  return createHash("sha256").update(footer).digest("hex");
}
