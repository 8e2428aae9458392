import { createRequire } from "node:module";
import { type Downloaded, downloaded } from "./downloaded.ts";
import type { OpenShell } from "./shell.ts";

/** The part of omggif in use here, which comes without types. */
interface GifReader {
  readonly width: number;
  readonly height: number;
  numFrames(): number;
  /** `delay` is in hundredths of a second. */
  frameInfo(frame: number): { readonly delay: number };
  decodeAndBlitFrameRGBA(frame: number, pixels: Uint8Array): void;
}

const { GifReader: Reader } = createRequire(import.meta.url)("omggif") as {
  readonly GifReader: new (bytes: Uint8Array) => GifReader;
};

export interface DecodedGif {
  readonly width: number;
  readonly height: number;
  readonly delaysMs: readonly number[];
  /** RGBA of each frame. */
  readonly frames: readonly Uint8Array[];
}

/** Reads a GIF with an independent decoder. */
export function decodeGif(bytes: Uint8Array): DecodedGif {
  const reader = new Reader(bytes);
  const { width, height } = reader;
  const places = Array.from({ length: reader.numFrames() }, (_, i) => i);
  const frames = places.map((i) => {
    const pixels = new Uint8Array(width * height * 4);
    reader.decodeAndBlitFrameRGBA(i, pixels);
    return pixels;
  });
  return { width, height, delaysMs: places.map((i) => reader.frameInfo(i).delay * 10), frames };
}

/** Fills in the open dialog “Save animation” and saves. */
export async function saveAnimationAs(
  { page }: Pick<OpenShell, "page">,
  format: "GIF" | "PNG frames",
  { every, width }: { readonly every: string; readonly width: string },
): Promise<Downloaded & { readonly frames: number }> {
  const dialog = page.getByRole("dialog", { name: "Save animation" });
  for (const [field, option] of [
    ["A frame every", every],
    ["Width", width],
  ] as const) {
    await dialog.getByRole("button", { name: new RegExp(`${field}$`) }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  }
  await dialog.getByRole("radio", { name: format }).click();
  const words = await dialog.getByRole("status").innerText();
  const file = await downloaded(page, () => dialog.getByRole("button", { name: `Save ${format}` }).click());
  await dialog.waitFor({ state: "detached" });
  const frames = Number.parseInt(words.replaceAll(",", ""), 10);
  return { ...file, frames };
}
