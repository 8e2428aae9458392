import { plainName } from "../meaning/stations.ts";
import { differencesIn, isScaleWord } from "./scale.ts";

// One table of the names of times. A scale at the end, such as `_utc` or `_gps`, is taken off before.
export const MOMENT =
  /^(date_?time|timestamp|time_?stamp|epoch|times?|utc|ut|gmt|gpst?|(valid(ity)?|obs|observation|sample|report|start|iso|date|epoch)_?time|utctime|gpstime|date|dates|tmstmp|reference_timestamp|obs_?date_?time|date_?hour|date_and_time)$/;
export const DATE =
  /^(date|dates|(mess_?|fran_)?datum(_tid|_beginn)?|fecha|pvm|day|ymd|(yy)?yy_?mmm?_?dd|(dd_?mm|mm_?dd)_?(yy)?yy|(yy)?yy_?(doy|ddd)|yyyymm|year_mm_dd|obs_?date|utcdate)$/;
export const CLOCK =
  /^(hours?|hh|hrs?|hour_?of_?day|hod|clock|clock_time|uhrzeit|zeit|heure|hora|kello|time_of_day|tod|hh_?mm(_?ss(_?s*)?)?|hr_mn_ss(_s*)?)$/;
/** Days since different starts, which their sizes tell: also those of MATLAB. */
export const MJD =
  /^(mjd(_day)?|modified_julian_da(y|te)|jd|julian_date|date_?num|matlab_?(time|date_?(num)?|serial_?date))$/;
export const UNIX = /^(unix(_?time)?|posix(_?time)?|unix_?epoch|epoch_s(ec(onds)?)?|time_?unix)$/;
/** Of these, and of moments, the digits show whether they count from 1970. */
export const STAMP = /^(ts|dt|(time|time_?stamp|epoch|date_?time|ts)_(s|sec|seconds|ms|millis|us|micros|ns|nanos))$/;
export const DECIMAL_YEAR = /^(dec(imal)?_?y(ea)?r|year_?dec(imal)?|yyyy_yyyy|fractional_?year)$/;
export const GPS_WEEK = /^((gps_?|gnss_?)?(week|wk|wnc?|weekno|week_?number))$/;
export const SECOND_OF_WEEK =
  /^((gps_?)?(tow|sow|seconds?_?of_?(gps_?)?week|time_?of_?week|week_?seconds?|gps_?seconds?|gps_?secs?)(_?(s|ms))?)$/;
export const HALF_DAY = /^(am_?pm|ampm|a_p|meridiem|half_day)$/;
export const YEAR = /^(year|yyyy|yr|yy|ye|jahr|annee|anno|ano|rok|vuosi|a?ar|jaar)$/;
export const MONTH = /^(month|mon|mo|monat|mois|mese?s?|miesiac|kuukausi|maa?ne?d|maand)$/;
export const DAY = /^(day|dd|dom|day_of_month|dy|da|tag|jour|dia|giorno|dzien|paiva|dag)$/;
export const DAY_OF_YEAR = /^(doy|ddd|day_?of_?year|yday|jday|julian_day)$/;
// “of the hour”, “of observation”, “in local standard time”
const OF_OTHERS = "(_of_(the_)?(hour|obs\\w*|sample|measurement)|_in_.*time)?";
export const HOUR = new RegExp(
  `^(utc?|gmt|((utc?|gmt)_)?((decimal|dec|fractional)_)?hours?|hh|hrs?|hour_?of_?day|hod|hour24|ho|stunde|heure|h?ora|godzina|hodina|tunti|timme|uur)${OF_OTHERS}$`,
);
export const MINUTE = new RegExp(`^(minutes?|mins?|mi|mn)${OF_OTHERS}$`);
export const SECOND = new RegExp(`^(seconds?|secs?|ss|se)${OF_OTHERS}$`);
/** Seconds since midnight, and the same in another unit at the end of the name. */
export const SECOND_OF_DAY =
  /^((sod|date_?sec|s{5}|sec(ond)?s?_(of|since|past)_(the_)?(day|midnight))(_(s|ms))?|(mod|min(ute)?s?_(of|since|past)_(the_)?(day|midnight))|day_?frac(tion)?|frac(tion(al)?)?(_of)?(_the)?_?day)$/;

const ZONE =
  /^(tz|time_?(zone|system|scale)|(utc|gmt|tz|time_?zone|zone)_?(offset|diff\w*)|(time_?)?(offset|diff\w*)_(from_)?(utc|gmt))(_?(h|hours?|m|min|minutes?|s|secs?|seconds?))?$/;

/** Names of the end of an interval that begins at the time of its row. */
export const END =
  /^(end|stop|until|to|valid_to|till_datum(_tid)?|(mess_)?datum_ende|period_?end|interval_?end|(hour|period|interval|time)_?ending|(end|stop|until)_?(date_?)?time|(date_?)?time_?(stamp_?)?(end|stop|to))$/;

export const START =
  /^(start|begin|from|valid_from|(start|begin)_?(date_?)?time|(date_?)?time_?(stamp_?)?(start|begin|from))$/;

/** Whether a column may tell the zone of the times, or another difference. */
export function isOffsetName(head: string): boolean {
  return /^((time|local|dst|clock)_?)?off(set)?(_?(h|hours?|m|min|minutes?|s|secs?|seconds?))?$/.test(plainName(head));
}

/** Whether a column tells when the clocks of a zone are an hour ahead, so that the times are local ones. */
export function isSummerTimeName(head: string): boolean {
  return /^(is_?)?(dst|daylight(_sav\w*)?|summer_?time|sommerzeit)(_?(flag|active|time))*$/.test(plainName(head));
}

export function isZoneName(head: string): boolean {
  return ZONE.test(plainName(head));
}

/** Whether a heading may belong to a time column, so that the line is a header. */
export function isTimeName(head: string): boolean {
  const name = timeName(head);
  return [MOMENT, DATE, MJD, YEAR, UNIX, GPS_WEEK, DECIMAL_YEAR].some((pattern) => pattern.test(name));
}

export function isMomentName(name: string): boolean {
  return [MOMENT, DATE, CLOCK].some((pattern) => pattern.test(name));
}

/** A plain name without the time scale at its start or end. */
export function timeName(head: string): string {
  return plainName(differencesIn(head).rest)
    .replace(/(?<=.)_([a-z0-9]+)$/, withoutScale)
    .replace(/(?<=^|_)([a-z0-9]+)_(?=(date|time|epoch))/, withoutScale);
}

function withoutScale(all: string, word: string): string {
  return isScaleWord(word) ? "" : all;
}
