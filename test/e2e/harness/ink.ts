import type { Page } from "playwright-core";

/**
 * Counts the pixels of each shown station's colour that a panel has on its canvas.
 *
 * @param panel its name: "Zenith total delay"
 * @returns pixels, in the order of the legend
 */
export function inkOf(page: Page, panel: string): Promise<number[]> {
  return page.getByRole("region", { name: panel }).evaluate((section) => {
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
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3]! < 200) continue;
        const place = colours.findIndex((c) => [0, 1, 2].every((i) => Math.abs(c[i]! - data[at + i]!) < 12));
        if (place >= 0) counts[place]!++;
      }
    }
    return counts;
  });
}
