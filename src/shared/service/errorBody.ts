import { z } from "zod";

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
