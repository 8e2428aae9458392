/**
 * Characters that are not shown as such: control characters, which start escape sequences in a terminal, characters that
 * change the text direction, and those without width, with which two names can look the same.
 */
export const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\uffff\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

function codePoint(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
}

/** Escapes hidden characters in text from others (names, messages of the service): `‹U+001B›`. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (c) => `‹U+${codePoint(c)}›`);
}
