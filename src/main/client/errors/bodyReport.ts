import { z } from "zod";

/** The fields beside the rows of a body that matter; all others are ignored. */
export interface BodyReport {
  /** `count`: the number of rows of this body (specification 4.4); null if absent or no whole number. */
  readonly count: number | null;
  /** An error, as a sentence (specification 7); null if there is none. */
  readonly error: string | null;
}

export function readBodyReport(fields: Readonly<Record<string, unknown>>): BodyReport {
  const { error } = fields;
  return { count: wholeNumber(fields["count"]), error: error ? sentenceOf(error) : null };
}

function sentenceOf(error: unknown): string | null {
  const sentence = typeof error === "string" ? error : (errorSentence(error) ?? JSON.stringify(error));
  return sentence.trim() === "" ? null : sentence;
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** Body of an error of stations and networks (section 7). */
const catalogueErrorSchema = z.looseObject({ message: z.string() });

/** Body of an error of time series and nearest time (section 7). */
const measurementErrorSchema = z.looseObject({ error: z.string() });

/** Returns the message of an error body of either form, or null. */
export function errorSentence(body: unknown): string | null {
  const measurement = measurementErrorSchema.safeParse(body);
  if (measurement.success) return measurement.data.error;
  const catalogue = catalogueErrorSchema.safeParse(body);
  return catalogue.success ? catalogue.data.message : null;
}
