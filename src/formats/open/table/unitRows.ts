import { unitNamed } from "#shared/file/units.ts";
import { countIn } from "../time/cf.ts";
import { scaleNamed } from "../time/scale.ts";
import { type Delimiter, fieldsOf } from "./records.ts";
import { type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { STATISTICS, variableOf } from "../meaning/quantities.ts";

// Rows and comments of units, below or above the names of columns.

/** A comment that states units: `field_unit: UTC, mm` of GeoCSV 2.0.4 (IRIS; compared with files of its services). */
export const UNITS = /^(?:field_?)?units?\s*[:=]\s*(.*)$/i;

/**
 * Whether a record has units, or how values were made, and neither times nor numbers: the lines of units and of processing in
 * TOA5 (Campbell Scientific, manual of the CR1000; compared with a file of the R package csdf), and the second line of
 * ERDDAP's `.csv`.
 */
export function isUnitRow(record: readonly string[], width: number): boolean {
  const fields = record.map((field) => field.trim()).filter((field) => field !== "");
  const isWide = record.length === width && fields.length > 0;
  if (!isWide || fields.some((field) => /\d{3}|^[-+.]*\d[-+.\d]*$/.test(field) && countIn(field) === null))
    return false;
  return fields.some(isUnit) || /^(ts|rn)$/i.test(fields[0] ?? "") || fields.every((field) => PROCESSING.test(field));
}

/** Types of SQL and XML, and of RDB with their widths: `5s`, `20d`, `14n`. */
const TYPE =
  /^(xsd?:\w+|\d+[sdn]|((small|big)?int(eger)?|u?int\d+|float\d*|double( precision)?|real|decimal|numeric|(var)?char|text|string|timestamp|date|date ?time(64)?|bool(ean)?)(\(.*\)|\[.*\])?)$/i;

/** Whether a record has the types of the columns, as databases write them below the names. */
export function isTypeRow(record: readonly string[], width: number): boolean {
  return record.length === width && record.every((field) => TYPE.test(field.trim()));
}

export const PROCESSING = /^(avg|smp|max|min|tmx|tmn|med|mom|std|tot|sum|mean|cov|wvc|ts|rn)$/i;

/** Whether the fields of a comment are units, beside abbreviations of parts of a time: the second line of buoys (NDBC). */
export function isUnitLine(fields: readonly string[]): boolean {
  const others = fields.filter((field) => !/^(yr|mo|dy|hr|mn|sc)$/i.test(field));
  const units = others.filter(isUnit).length;
  return units > 2 && 2 * units > others.length;
}

export function isUnit(text: string): boolean {
  const plain = text.replace(/^[([](.*)[)\]]$/, "$1");
  return (
    unitNamed(plain) !== null ||
    scaleNamed(plain) !== null ||
    countIn(plain) !== null ||
    /^(hectopascal|m\/s|deg[ct]|tecu|unitless|yyyy.*|iso\s?8601)$/i.test(plain)
  );
}

/** Units in a comment before the rows. */
export function commentUnits(comments: readonly string[], names: readonly string[], delimiter: Delimiter) {
  for (const comment of comments) {
    const text = UNITS.exec(comment)?.[1] ?? comment;
    for (const separator of [delimiter, "," as const]) {
      const fields = fieldsOf(text, separator).map((field) => field.trim());
      const isStated =
        text !== comment ||
        /^units?$/i.test(fields[0] ?? "") ||
        isUnitLine(fields) ||
        fields.every((field) => field === "" || isUnit(field));
      // A sentence names the columns of its units.
      const isSentence = fields.some((field) => names.includes(field));
      if (fields.length === names.length && isStated && !isSentence && fields.some(isUnit))
        return fields.map((field) => (field === "" || /^units?$/i.test(field) ? null : field));
    }
  }
  return [];
}

/** A quantity and its unit in a part of a sentence: `PWV is given in cm`, `pwv_unit: cm`, `ztd [cm]`, `pwv=cm`. */
const STATED =
  /^(?<name>.+?)[\s_)]*(?:(?<![a-z])units?)?\s*(?:(?:(?:is|are|was|were|has|the|given|stated|units?|values?|in)\s+)*\bin\s+|(?:(?:is|are|unit|values?)\s+)*[:=([]\s*(?:in\s+)?)(?<unit>[^:=,;()]+?)[\])}.\s]*$/i;
const PARTS = /[,;]|\.\s|\band\b/;

/** What the only uncertainty of a table is called. */
const UNCERTAINTY = /^(σ|sigmas?|std|stdev|stddev|standard_deviations?|uncertaint(y|ies)|(formal_)?errors?)$/;

const OF_ANOTHER = new RegExp(String.raw`\b(${STATISTICS})\b`, "i");

/** The unit that sentences in comments state for a column: `PWV in cm, ZTD in m, temp in K`; null without one. */
export function unitInComments(comments: readonly string[], own: string, variable: ScalarVariable | null) {
  const isOwn = (name: string): boolean => {
    const plain = plainWords(name);
    const isSame = plain === plainWords(own) && (plain.length > 2 || plain === "σ");
    const isUncertainty = variable !== null && variableInfo(variable).uncertaintyOf !== undefined;
    const isNamed =
      variable !== null && variableOf({ name, longName: null, standardName: null, unit: null }) === variable;
    return isSame || isNamed || (isUncertainty && UNCERTAINTY.test(plain));
  };
  for (const part of comments.flatMap((text) => text.split(PARTS))) {
    const { name = "", unit = "" } = STATED.exec(part.trim().replace(/^\W*units?\s*:\s*/i, ""))?.groups ?? {};
    // Words before a name may belong to another quantity, or none: `values of PWV`.
    const words = name.split(/\s+/);
    const isOf = isOwn(name) || (!OF_ANOTHER.test(name) && words.some((_, at) => isOwn(words.slice(at).join(" "))));
    const found = words.length > 0 && isOf ? unit.trim() : "";
    if (unitNamed(found)) return found;
  }
  return null;
}

function plainWords(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_");
}
