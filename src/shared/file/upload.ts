/**
 * Where the web shell takes a file to open: `POST /open?name=<name>` on its own origin, the file itself as the body.
 * 200: a `FileGrant` as JSON. Any other status: a sentence as text.
 */
export const UPLOAD_PATH = "/open";
export const MOST_UPLOAD_BYTES = 4_000_000_000;
