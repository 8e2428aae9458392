import { randomUUID } from "node:crypto";
import { createWriteStream, mkdirSync, rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { basename, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { codeOf } from "#shared/fault.ts";
import type { FileGrant } from "#shared/file/opened.ts";
import { decimal } from "#shared/text.ts";
import type { FilePlace } from "../app/files/grants.ts";
import { MIN_BODY_BYTES } from "./bounds.ts";

type Upload =
  | { readonly kind: "granted"; readonly grant: FileGrant }
  | { readonly kind: "refused"; readonly status: 413 | 503 | 507; readonly sentence: string };

interface UploadsOptions {
  readonly dataFolder: string;
  readonly grant: (place: FilePlace) => Promise<FileGrant | null>;
  readonly mostBytes: number;
  /** An upload with less than `MIN_BODY_BYTES` in this time is aborted. */
  readonly bodyMs: number;
}

/** Disk space reserved for the databases. */
const KEPT_FREE_BYTES = 500_000_000;
const MAX_CONCURRENT_UPLOADS = 4;

/**
 * Files that a page uploads to open them: copies under random names in a folder of ours, deleted when they are closed and
 * when the program starts.
 */
export class Uploads {
  readonly #options: UploadsOptions;
  readonly #folder;
  readonly #tooLarge;
  #underWay = 0;

  constructor(options: UploadsOptions) {
    this.#options = options;
    this.#folder = join(options.dataFolder, "opened");
    this.#tooLarge = refused(
      413,
      `This file is larger than the ${decimal(options.mostBytes / 1e9, 0, 3)} GB that can be opened in a browser. ` +
        "Open it in the desktop program, or with “zenith open” on the computer that has it.",
    );
    this.clear();
  }

  /** Stores the body of a request as a file to open. */
  async take(request: IncomingMessage, name: string): Promise<Upload> {
    const announced = Number(request.headers["content-length"] ?? 0);
    if (announced > this.#options.mostBytes) return this.#tooLarge;
    if (this.#underWay >= MAX_CONCURRENT_UPLOADS)
      return refused(503, "Other files are still being sent: try again when they are there.");
    this.#underWay++;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(this.#folder);
      if (announced > bavail * bsize - KEPT_FREE_BYTES) return DISK_FULL;
      return await this.#store(request, join(this.#folder, randomUUID()), plainName(name));
    } finally {
      this.#underWay--;
    }
  }

  /** Deletes all copies, because the core that knew them ended. */
  clear(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #store(request: IncomingMessage, path: string, name: string): Promise<Upload> {
    let bytes = 0;
    const bound = new Transform({
      transform: (piece: Buffer, _encoding, done) => {
        bytes += piece.length;
        done(bytes > this.#options.mostBytes ? new TooLarge() : null, piece);
      },
    });
    let bytesBefore = 0;
    const pace = setInterval(() => {
      if (bytes - bytesBefore < MIN_BODY_BYTES) request.destroy();
      bytesBefore = bytes;
    }, this.#options.bodyMs);
    try {
      await pipeline(request, bound, createWriteStream(path, { flags: "wx", mode: 0o600 })).finally(() =>
        clearInterval(pace),
      );
      const given = await this.#options.grant({ path, name, isTemporary: true });
      if (given) return { kind: "granted", grant: given };
      rmSync(path, { force: true });
      return refused(503, "The application's core is being started again: open the file once more in a moment.");
    } catch (thrown) {
      rmSync(path, { force: true });
      if (thrown instanceof TooLarge) return this.#tooLarge;
      if (codeOf(thrown) === "ENOSPC") return DISK_FULL;
      throw thrown;
    }
  }
}

class TooLarge extends Error {}

const DISK_FULL = refused(507, "There is not enough room on the disk of Zenith Desk for a copy of this file.");

/** A name for display; it is not used on the disk. */
function plainName(name: string): string {
  return (
    basename(name.replaceAll("\\", "/"))
      .replaceAll(/\p{Cc}/gu, " ")
      .trim()
      .slice(0, 255) || "file"
  );
}

function refused(status: 413 | 503 | 507, sentence: string): Extract<Upload, { readonly kind: "refused" }> {
  return { kind: "refused", status, sentence };
}
