declare module "gifenc" {
  export type Palette = readonly (readonly number[])[];
  export interface Encoder {
    /** @param options.delay milliseconds; `repeat` 0: for ever */
    writeFrame(
      index: Uint8Array,
      width: number,
      height: number,
      options: { readonly palette: Palette; readonly delay: number; readonly repeat: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  }
  export function GIFEncoder(): Encoder;
  /** Returns a palette of at most `maxColors` colours for the pixels. */
  export function quantize(rgba: Uint8ClampedArray, maxColors: number): Palette;
  /** Returns the index of the nearest colour for each pixel. */
  export function applyPalette(rgba: Uint8ClampedArray, palette: Palette): Uint8Array;
}
