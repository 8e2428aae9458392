import { unreadable } from "../../error.ts";
import { isNoValueWord } from "../meaning/noValue.ts";
import { many } from "#shared/text.ts";
import { type Notes, quotedName } from "../notes.ts";
import { isTimeName } from "../time/names.ts";
import type { TableLayout } from "./layout.ts";
import { fieldsOf } from "./records.ts";
import { isVague, stationNamed } from "../meaning/stations.ts";
import { UTC } from "../time/scale.ts";
import { scaleInComment } from "../time/stated.ts";
import type { TableHead } from "./heads.ts";
import { COMMENT } from "./lines.ts";

const OTHER_TABLE =
  "Another table with other columns begins within this file, below X. Save each table as a file of its own, and open those; delete the line if it is a message.";

const SHORT = "Lines with another number of fields than the first one are left out";
const UNTIMED = "Lines without a time that can be read are left out";
const WITHOUT_UTC =
  "Lines with a time that the clocks of its zone show twice or never, or whose zone is unknown, are left out";

/** Follows the lines of a table that are not rows: they may name what the rows below them belong to, or begin another table. */
export class LinesBetween {
  /** What is above the next row: the first line that names a station, otherwise the last comment, or the name of a sheet. */
  section: Section = { text: "", isStation: false };
  /** Whether a line above rows names their station, and no column does. */
  isBelowStation = false;
  /** Whether what is above rows changes at headings alone, so that it is the title of the rows below them. */
  areTitles = true;
  /** Comments among the rows, and below them, that state a scale of their times. */
  readonly later: string[] = [];
  readonly #layout: TableLayout;
  readonly #isText: boolean;
  /** The names, and the lines above the rows, which files have again below a station or where they were concatenated. */
  readonly #above: Set<string>;
  readonly #notes: Notes;
  /** Rows, and other lines that look like some, of which the first one is an example. */
  #rows = 0;
  #lost = 0;
  #example = "";
  #toSkip: number;
  /** A line of words above the next row that may be the heading of another table; null without one. */
  #words: string | null = null;
  #title = "";
  #isBelowRow = false;
  #isBelowHeading = true;
  #lastSection = "";

  constructor(layout: TableLayout, notes: Notes) {
    const { head } = layout;
    this.#layout = layout;
    this.#notes = notes;
    this.#isText = head.delimiter !== null;
    this.#above = new Set([lineOf(head.names)]);
    this.#toSkip = head.skipped;
    for (const comment of head.comments) this.#take(sectionOf([comment]));
  }

  /**
   * Whether a record belongs to the lines above the first row.
   * @param isRemark whether it is a comment, or the only cell of its line
   */
  isAboveRows(fields: readonly string[], isRemark: boolean): boolean {
    if (this.#toSkip === 0) return false;
    // The first name may begin like a comment: "#".
    if (!isRemark || lineOf(fields) === lineOf(this.#layout.head.names)) this.#toSkip--;
    this.#above.add(lineOf(fields));
    return true;
  }

  /** Takes a line without a time. */
  line(record: readonly string[], fields: readonly string[], isRemark: boolean): void {
    const { head, isWithoutUtc } = this.#layout;
    const found = sectionOf(record);
    const isShort = isRemark || fields.length < head.names.length;
    if (isShort && this.later.length < MAX_LATER && isLater(found.text, head)) this.later.push(found.text);
    // A repeated heading belongs to the rows below it, and a word above it tells what they belong to.
    const texts = isRemark ? fieldsOf(found.text, head.delimiter ?? ",") : fields;
    if (!found.isStation && this.#above.has(lineOf(texts))) {
      if (this.#title !== "") this.#take({ text: this.#title, isStation: false });
      this.#isBelowHeading = true;
      return;
    }
    if (isRemark || found.isStation) {
      this.#take(found);
      return;
    }
    this.#title = this.#isText && fields.length === 1 ? (fields[0] ?? "").trim() : "";
    if (isHeading(fields, this.#layout)) this.#words ??= fields.join(", ");
    const why = fields.length !== head.names.length ? SHORT : isWithoutUtc(fields) ? WITHOUT_UTC : UNTIMED;
    this.#notes.count(why);
    if (why === WITHOUT_UTC || (found.text.match(NUMBER)?.length ?? 0) < 2) return;
    this.#lost++;
    this.#example ||= record.join(head.delimiter === "blanks" ? " " : (head.delimiter ?? ","));
  }

  /** @throws FormatFailure if too many lines that look like rows cannot be read */
  mustBeFew(): void {
    if (this.#lost < LEAST_LOST || LOST_SHARE * this.#lost < this.#lost + this.#rows) return;
    const lines = `${many(this.#lost, "line")} of this table cannot be read as rows, such as ${quotedName(this.#example)}`;
    throw unreadable(
      `${lines}, beside ${many(this.#rows, "row")} that can. Give each row a time, and the separator and the columns of the heading.`,
    );
  }

  /** Takes a row. @throws FormatFailure if it belongs to another table */
  row(): void {
    if (this.#words !== null) throw unreadable(OTHER_TABLE.replace("X", quotedName(this.#words)));
    if (!this.#isBelowHeading && this.section.text !== this.#lastSection) this.areTitles = false;
    this.#lastSection = this.section.text;
    this.#isBelowHeading = false;
    this.#isBelowRow = true;
    this.#rows++;
    this.isBelowStation ||= this.section.isStation && this.#layout.station < 0;
  }

  #take(found: Section): void {
    const isFurther = found.isStation ? !this.#isBelowRow : this.#isText;
    if (this.section.isStation && isFurther) return;
    this.section = found;
    this.#isBelowRow = false;
  }
}

const NUMBER = /\d+(?:[-.,:/]\d+)*/g;
/** Of the lines of a table, these and a fifth are more than messages of a logger. */
const [LEAST_LOST, LOST_SHARE] = [3, 5];

function lineOf(fields: readonly string[]): string {
  return fields.map((field) => field.trim()).join("\n");
}

/**
 * Whether a line may be the heading of another table, as where files were concatenated: words alone, none of which is in its
 * column of the first rows, and which name a time, or are as many as the columns.
 */
function isHeading(fields: readonly string[], { head, time }: TableLayout): boolean {
  const texts = fields.map((field) => field.trim());
  if (texts.length < 2 || texts.some((text) => /^[-+.,]?\d/.test(text))) return false;
  const rows = head.rows.filter((row) => !Number.isNaN(time(row)));
  if (texts.some((text, at) => text !== "" && (isNoValueWord(text) || rows.some((row) => row[at] === text))))
    return false;
  const isWide = texts.length === head.names.length;
  if (texts.some(isTimeName) && (isWide || texts.some((text) => head.names.includes(text)))) return true;
  // Words between blanks may be a sentence.
  return isWide && head.delimiter !== "blanks" && !texts.slice(1).includes("");
}

/** The first line of files of Campbell Scientific names the station. */
const LOGGER = /^"?TOA(?:5|CI1)"?,"?([^",]+)/;

type Section = ReturnType<typeof sectionOf>;

const IS_PLURAL = /(station|site)s$/i;
const NO_STATION = /^((19|20)\d\d|unknown|unnamed|unbekannt|inconnue?|all|any|various|several|multiple|\?+)$/i;

/** Signs around a title: `### KALL ###`. */
const FRAME = /^[\s#*=-]+|[\s#*=-]+$/g;

/** The words of a line, or of a sheet, that tell what the rows below it belong to: `# Station: KALL`. */
export function sectionOf([first = "", ...more]: readonly string[]) {
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

const MAX_LATER = 20;

/** Whether a comment that is not above the rows states another scale of their times than UTC. */
function isLater(text: string, { delimiter, comments }: TableHead): boolean {
  return delimiter !== null && !comments.includes(text) && scaleInComment(text, "").some(({ scale }) => scale !== UTC);
}
