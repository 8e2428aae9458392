import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FormatError } from "#formats/error.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { MEDIA_NETCDF } from "#shared/service/limits.ts";
import type { Exchange } from "../exchange.ts";
import { refusal, type Refusal } from "../http/refusal.ts";
import { openBody } from "../http/send.ts";
import { ClientGone } from "../http/stream.ts";
import type { AdmittedQuery } from "./admitted.ts";
import { fileSource } from "./fileSource.ts";
import { certainlyExceeds } from "./netcdfSize.ts";
import { pastDeadline } from "./size.ts";

/** What a timer of Node can hold. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Answers with a NetCDF-4 file by CF-1.8, from the same writer as the exports. The file is made in a folder of its own,
 * sent, and deleted. Faults of the rows strike JSON only: a file has its rows in order or is none.
 */
export async function answerNetcdf(exchange: Exchange, admitted: AdmittedQuery): Promise<Refusal | null> {
  const { settings, organization, signal, record } = exchange;
  if (await certainlyExceeds(exchange, admitted, settings.netcdfBytes)) return tooManyBytes(settings.netcdfBytes);
  const deadline = AbortSignal.timeout(Math.min(organization.deadlineMs, LONGEST_TIMER_MS));
  const folder = await mkdtemp(join(tmpdir(), "zenith-service-"));
  try {
    const path = join(folder, "measurements.nc");
    const written = await writeTimeSeriesNetcdf(path, fileSource(exchange, admitted), {
      signal: AbortSignal.any([signal, deadline]),
    });
    if (signal.aborted) throw new ClientGone();
    if (deadline.aborted) return pastDeadline(organization.deadlineMs);
    if (!written.ok) return refusedFile(written.error, settings.netcdfBytes);
    if (written.value.bytes > settings.netcdfBytes) return tooManyBytes(settings.netcdfBytes);
    record.rows = written.value.rows;
    await sendFile(exchange, path, written.value.bytes);
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sendFile(exchange: Exchange, path: string, bytes: number): Promise<void> {
  const body = openBody(exchange, MEDIA_NETCDF, bytes);
  for await (const piece of createReadStream(path) as AsyncIterable<Uint8Array>) await body.write(piece);
  body.end();
}

/** 413 of a NetCDF result (section 8). */
function tooManyBytes(limit: number): Refusal {
  return refusal(413, `The NetCDF result is larger than ${limit / 1_000_000} MB.`);
}

function refusedFile(error: FormatError, limit: number): Refusal {
  if (error.kind === "tooLarge") return tooManyBytes(limit);
  if (error.kind === "noSpace") return refusal(503, "The service has no room for a NetCDF result now.");
  throw new Error(`${error.message} ${error.cause ?? ""}`);
}
