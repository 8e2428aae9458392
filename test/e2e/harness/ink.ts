import type { Page } from "playwright-core";

/**
 * Counts the pixels on a panel's canvas in the colour of each shown station.
 *
 * @param panel its name: "Zenith total delay"
 * @param within the counted part of the canvas, as shares of its width
 * @returns pixels, in the order of the legend
 */
export function inkOf(page: Page, panel: string, within: readonly [number, number] = [0, 1]): Promise<number[]> {
  return page.getByRole("region", { name: panel }).evaluate((section, [from, to]) => {
    const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
    const rgb = (colour: string): readonly number[] => {
      probe.fillStyle = colour;
      probe.fillRect(0, 0, 1, 1);
      return [...probe.getImageData(0, 0, 1, 1).data];
    };
    const lines = document.querySelectorAll("[role=group][aria-label='Stations shown'] button line");
    const colours = [...lines].map((line) => rgb(getComputedStyle(line).stroke));
    const counts = colours.map(() => 0);
    for (const canvas of section.querySelectorAll("canvas")) {
      if (canvas.width === 0 || canvas.height === 0) continue;
      const left = Math.floor(canvas.width * from);
      const width = Math.max(1, Math.floor(canvas.width * to) - left);
      const { data } = canvas.getContext("2d")!.getImageData(left, 0, width, canvas.height);
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3]! < 200) continue;
        const place = colours.findIndex((c) => [0, 1, 2].every((i) => Math.abs(c[i]! - data[at + i]!) < 12));
        if (place >= 0) counts[place]!++;
      }
    }
    return counts;
  }, within);
}
