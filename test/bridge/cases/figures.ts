import { expect } from "vitest";
import { type Cases, faultOf, valueOf } from "./case.ts";

const text = { kind: "text", x: 10, y: 20, size: 12, weight: 400, anchor: "start", colour: "#000000" } as const;
const line = { kind: "line", colour: "#0072b2", width: 1, dash: [] } as const;
const scene = { width: 200, height: 100, background: "#ffffff", fontFamily: "sans-serif", title: "ZTD <1>" };

export const figureCases: Cases<`figures.${string}`> = {
  async "figures.write"({ bridge }) {
    // New arrays for each call: a channel may transfer their buffers.
    const query = () => {
      const points = Float64Array.of(0, 0, 10, 10, Number.NaN, Number.NaN, 20, 0, 30, 10);
      const clip = { kind: "clip", x: 0, y: 0, width: 50, height: 50, shapes: [{ ...line, points }] } as const;
      return { widthMm: 83, scene: { ...scene, shapes: [{ ...text, text: "Åre & 北京" }, clip] } };
    };
    const svg = valueOf(await bridge.figures.write({ ...query(), format: "svg" }));
    const words = new TextDecoder().decode(svg.file);
    expect(words).toMatch(/<title>ZTD &lt;1&gt;<\/title>.*@font-face.*>Åre &amp; 北京<.*d="M0 0l10 10M20 0l10 10"/s);
    expect(svg.boxedTexts).toEqual([]);
    const pdf = valueOf(await bridge.figures.write({ ...query(), format: "pdf" }));
    expect(new TextDecoder("latin1").decode(pdf.file.subarray(0, 5))).toBe("%PDF-");
    expect(pdf.boxedTexts).toEqual(["Åre & 北京"]);
    const opaque = { kind: "rect", x: 0, y: 0, width: 1, height: 1, colour: "#000000", opacity: 2 } as const;
    const wrong = { ...query(), scene: { ...scene, shapes: [opaque] } };
    expect(faultOf(await bridge.figures.write({ ...wrong, format: "svg" })).kind).toBe("usage");
  },
};
