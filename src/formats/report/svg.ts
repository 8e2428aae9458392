import { escapeXml } from "#shared/text.ts";
import { LOOKS, type Mark, type ReportFigure } from "./figure.ts";

export function svgOf({ name, width, height, marks }: ReportFigure): string {
  return [
    `<svg role="img" aria-label="${escapeXml(name)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    ...marks.map(svgMark),
    "</svg>",
  ].join("\n");
}

/** Style sheet of the marks. */
export const SVG_STYLE = Object.entries(LOOKS)
  .map(([look, { stroke, strokeWidth, fill = "none", fillOpacity }]) => {
    const line = stroke === undefined ? "" : ` stroke: ${stroke}; stroke-width: ${strokeWidth ?? 1};`;
    return `.${look} { fill: ${fill};${fillOpacity === undefined ? "" : ` fill-opacity: ${fillOpacity};`}${line} }`;
  })
  .join("\n");

function svgMark(mark: Mark): string {
  const look = `class="${mark.look}"`;
  switch (mark.kind) {
    case "path":
      return `<path ${look} d="${mark.path}"/>`;
    case "rect": {
      const opacity = mark.opacity === undefined ? "" : ` opacity="${mark.opacity.toFixed(2)}"`;
      return `<rect ${look} x="${mark.x}" y="${mark.y}" width="${mark.width}" height="${mark.height}"${opacity}/>`;
    }
    case "circle": {
      const title = mark.title === undefined ? "" : `<title>${escapeXml(mark.title)}</title>`;
      return `<circle ${look} cx="${mark.x}" cy="${mark.y}" r="${mark.radius}">${title}</circle>`;
    }
    case "text": {
      const place = mark.isUpright
        ? `transform="translate(${mark.x} ${mark.y}) rotate(-90)"`
        : `x="${mark.x}" y="${mark.y}"`;
      return `<text ${look} ${place} text-anchor="${mark.anchor}">${escapeXml(mark.text)}</text>`;
    }
  }
}
