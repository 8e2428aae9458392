import { z } from "zod";
import type { AppFault } from "../fault.ts";
import { failure, type Result, success } from "../service/error.ts";
import { type SavedView, savedView } from "./view.ts";

/** Files of views have a depth of eight, and their panes a little more. */
const MAX_DEPTH = 64;
/** Enough for 500 views of 500 stations. */
const MAX_NAMES = 250_000;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Whether JSON can be parsed and validated quickly. A document with a depth of thousands or a million names would block
 * every window.
 */
function isPlausibleJson(text: string): boolean {
  let depth = 0;
  let names = 0;
  let isInText = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isInText) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return false;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    else if (code === COLON && ++names > MAX_NAMES) return false;
  }
  return true;
}

export const VIEW_FILE_EXTENSION = ".zenith";
/** First bytes of a zip archive, as a session file with data is. */
export const ARCHIVE_MAGIC = "PK\u0003\u0004";
export const MAX_VIEW_FILE_BYTES = 20_000_000;
const KIND = "zenith-views";
const VERSION = 1;
const MAX_VIEWS = 500;

const file = z.object({
  kind: z.literal(KIND),
  version: z.literal(VERSION),
  views: z
    .array(savedView.omit({ connectionId: true }))
    .min(1)
    .max(MAX_VIEWS),
});

/** A sentence about opened files that belong to views, and are not in a session file with them. */
export function withoutFilesSentence(names: readonly string[]): string {
  const listed = names
    .slice(0, 5)
    .map((name) => `“${name}”`)
    .join(", ");
  return `It does not contain the opened files of its views: ${listed}${names.length > 5 ? " and others" : ""}.`;
}

/** Writes views as JSON for sharing, without their connection, its address or its key. */
export function writeViewFile(views: readonly SavedView[]): string {
  const own = views.map(({ name, savedAtMs, workspace }) => ({ name, savedAtMs, workspace }));
  return `${JSON.stringify({ kind: KIND, version: VERSION, views: own }, null, 2)}\n`;
}

/** Reads an untrusted file of views completely, or returns a fault (disk). */
export function readViewFile(text: string): Result<SavedView[], AppFault> {
  if (text.length > MAX_VIEW_FILE_BYTES) return failure(unreadableViews("This file is too large to hold views."));
  const json = isPlausibleJson(text) ? parsed(text) : null;
  if (!isOurs(json))
    return failure(
      unreadableViews(`This file contains no views of Zenith Desk. Such files end in “${VIEW_FILE_EXTENSION}”.`),
    );
  if (json.version !== VERSION)
    return failure(
      unreadableViews("This file was written by a newer version of Zenith Desk: update the program to open it."),
    );
  const found = file.safeParse(json);
  if (!found.success) {
    const [issue] = found.error.issues;
    const place = issue ? ` (${issue.path.join(".").slice(0, 200)})` : "";
    return failure(
      unreadableViews(`This file is damaged or was changed${place}. Ask for it again; nothing was added.`),
    );
  }
  return success(found.data.views.map((view) => ({ ...view, connectionId: null })));
}

function isOurs(json: unknown): json is { readonly kind: typeof KIND; readonly version: unknown } {
  return typeof json === "object" && json !== null && "kind" in json && json.kind === KIND && "version" in json;
}

function parsed(text: string): unknown {
  try {
    // Some editors add a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return null;
  }
}

function unreadableViews(message: string): AppFault {
  return { kind: "disk", message, cause: null };
}
