import { type ChosenColumn, roleWord } from "#shared/file/columns.ts";
import type { Question } from "../meaning/columns.ts";
import { quotedName } from "../notes.ts";
import type { NamedScale } from "./scale.ts";
import { possibleZones } from "./zones.ts";

/** Asks for the scale of a time of which the file says several, or one that is not known. */
export function scaleQuestion(
  name: string,
  column: Pick<ChosenColumn, "column" | "role">,
  named: readonly NamedScale[],
): Question {
  const [only] = named;
  const words = named.map(({ text, by }) => `${text} by ${by}`).join(" and ");
  const sentence =
    named.length === 1 && only
      ? `The times in ${name} are in the zone ${quotedName(only.text)}, whose difference from UTC is not known.`
      : `The times in ${name} are in ${words}.`;
  const units = named.flatMap(({ scale, text }) => (scale === "other" ? possibleZones(text) : [scale.unit]));
  // Different zones that are not known are not one of them.
  const isMixed = named.length > 1 && named.every(({ scale }) => scale === "other");
  const choices = (isMixed ? [] : [...new Set(units)]).map((unit) => ({ ...column, unit }));
  // A word without a zone would lead to the same question.
  const example = `${column.column}=${roleWord(column.role)}`;
  const how = `Give it, as in ${quotedName(`${example}:UTC+5:30`)} or ${quotedName(`${example}:Europe/Helsinki`)}.`;
  return choices.length > 0 ? { sentence, choices } : { sentence: `${sentence} ${how}`, choices: [] };
}
