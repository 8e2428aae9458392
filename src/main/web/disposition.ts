/**
 * `Content-Disposition` for a download: a plain name for old programs, and the real one as RFC 5987 writes it. Nothing of
 * the name can end the header or start another parameter.
 */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w .()+-]/g, "_");
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
