import { unitOfTimeMs } from "./units.ts";

/** The format of a time: `dd.mm.yyyy hh:mm`, and words on what it is the time of. */
const FORMAT = /^([ymdhsnjawtf]|(y{2,4}|a{2,4}|j{2,4}|m{2,3}|d{2,3}|t|h{2}|n{2}|s{2,6}|f+|t{2})+)$/i;
const DESCRIPTION =
  /^(start|end|begin\w*|middle|mid|cent(er|re)|mean|average|avg|interval|of|the|at|in|and|or|to|for|from|since|after|past|number|no|clock|date|times?|day|days|week|month|year|years|epoch|iso|decimals?|frac\w*|unix|posix|excel|iso\d*|julian|modified|mjd|jd|doy|sod|tow|sow|matlab|datenum|serial|am|pm|h?ob(s\w*)?|meas\w*|sampl\w*|record\w*|valid|midnight|datum|zeit|aika|kello|station|zone|mess\w*|(time|tm)?stamps?|launch|upload|zulu|jan\w*|\d+[a-z]?)$/i;

/** Whether a place of a name is about something else than a zone: the format of the time, its unit, or what it is the time of. */
export function isDescription(text: string): boolean {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.every((word) => FORMAT.test(word) || DESCRIPTION.test(word) || unitOfTimeMs(word) !== null);
}
