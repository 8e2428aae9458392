import { isNoValueWord } from "../meaning/noValue.ts";
import { isVague, stationNamed } from "../meaning/stations.ts";
import { UTC } from "../time/scale.ts";
import { scaleInComment } from "../time/stated.ts";
import type { TableHead } from "./heads.ts";
import { COMMENT } from "./lines.ts";

/** The first line of files of Campbell Scientific names the station. */
const LOGGER = /^"?TOA(?:5|CI1)"?,"?([^",]+)/;

export interface Section {
  readonly text: string;
  readonly isStation: boolean;
}

const IS_PLURAL = /(station|site)s$/i;
const NO_STATION = /^((19|20)\d\d|unknown|unnamed|unbekannt|inconnue?|all|any|various|several|multiple|\?+)$/i;

/** Signs around a title: `### KALL ###`. */
const FRAME = /^[\s#*=-]+|[\s#*=-]+$/g;

/** The words of a line, or of a sheet, that tell what the rows below it are of: `# Station: KALL`. */
export function sectionOf([first = "", ...more]: readonly string[]): Section {
  const text = [first.replace(COMMENT, ""), ...more].join(" ").replaceAll(FRAME, "");
  const [, logger] = LOGGER.exec([first, ...more].join(",")) ?? [];
  if (logger !== undefined) return { text: logger, isStation: true };
  // A name and a value in two cells: `Station,KALL`.
  const cells = [first.replace(COMMENT, ""), ...more].join(",").trim();
  const [, name = "", value = ""] =
    /^([\w ]+?)\s*[:=]\s*(.+)$/.exec(text) ?? /^([\w ]+?)\s*[,;\t]\s*([^,;\t]+)[,;\s]*$/.exec(cells) ?? [];
  const [station = ""] = value.replace(/^[\s,;:|\t]+/, "").split(/\s*[,;(\t|¦]|\s{2,}|\s+(?=\w+\s*[:=])/);
  const isStation =
    stationNamed(name) !== null &&
    !IS_PLURAL.test(name) &&
    !isNoValueWord(station) &&
    !NO_STATION.test(station) &&
    !station.includes("://") &&
    !isVague(name.replace(/^name$/i, "location"), station);
  return { text: isStation ? station : text, isStation };
}

export const MAX_LATER = 20;

/** Whether a comment that is not above the rows states another scale of their times than UTC. */
export function isLater(text: string, { delimiter, comments }: TableHead): boolean {
  return delimiter !== null && !comments.includes(text) && scaleInComment(text, "").some(({ scale }) => scale !== UTC);
}
