import { z } from "zod";
import { type AppFault, usageFault } from "../fault.ts";
import { failure, type Result, success } from "../service/error.ts";
import { type SavedView, savedView } from "./view.ts";

/** A file of views nests eight deep, and panes of views a little more. */
const MOST_DEPTH = 64;
/** Five hundred views of five hundred stations. */
const MOST_NAMES = 250_000;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Whether a text of JSON can be parsed and checked in little time: what nests thousands deep, or names a million things,
 * would keep every window waiting.
 */
export function isPlausibleJson(text: string): boolean {
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
      if (++depth > MOST_DEPTH) return false;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    else if (code === COLON && ++names > MOST_NAMES) return false;
  }
  return true;
}

/** Ending of a file with views. */
export const VIEW_FILE_ENDING = ".zenith";
export const MOST_FILE_BYTES = 20_000_000;
const KIND = "zenith-views";
const VERSION = 1;
const MOST_VIEWS = 500;

const file = z.object({
  kind: z.literal(KIND),
  version: z.literal(VERSION),
  views: z
    .array(savedView.omit({ connectionId: true }))
    .min(1)
    .max(MOST_VIEWS),
});

/** The views as a file for someone else: JSON, nothing of the connection, its address or its key. */
export function writeViewFile(views: readonly SavedView[]): string {
  const own = views.map(({ name, savedAtMs, workspace }) => ({ name, savedAtMs, workspace }));
  return `${JSON.stringify({ kind: KIND, version: VERSION, views: own }, null, 2)}\n`;
}

/** Reads such a file, whoever wrote it: all of it, or a sentence that says why not. */
export function readViewFile(text: string): Result<SavedView[], AppFault> {
  if (text.length > MOST_FILE_BYTES) return failure(usageFault("This file is too large to hold views."));
  const json = isPlausibleJson(text) ? parsed(text) : null;
  if (!isOurs(json))
    return failure(usageFault(`This file contains no views of Zenith Desk. Such files end in “${VIEW_FILE_ENDING}”.`));
  if (json.version !== VERSION)
    return failure(
      usageFault("This file was written by a newer version of Zenith Desk: update the program to open it."),
    );
  const found = file.safeParse(json);
  if (!found.success) {
    const [issue] = found.error.issues;
    const place = issue ? ` (${issue.path.join(".").slice(0, 200)})` : "";
    return failure(usageFault(`This file is damaged or was changed${place}. Ask for it again; nothing was added.`));
  }
  return success(found.data.views.map((view) => ({ ...view, connectionId: null })));
}

function isOurs(json: unknown): json is { readonly kind: typeof KIND; readonly version: unknown } {
  return typeof json === "object" && json !== null && "kind" in json && json.kind === KIND && "version" in json;
}

function parsed(text: string): unknown {
  try {
    // A byte order mark is what some editors put there.
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return null;
  }
}
