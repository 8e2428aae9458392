/** For comparing what people write: without case, and accents as one letter each. */
export function fold(text: string): string {
  return text.normalize("NFC").toLocaleLowerCase("en");
}
