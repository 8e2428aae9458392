import type { ToCore } from "#shared/bridge/transport/protocol.ts";
import { z } from "zod";

const id = z.number().int();
const schema: z.ZodType<ToCore> = z.union([
  z.object({ id, cancel: z.literal(true) }),
  z.object({ id, call: z.string().max(200), input: z.unknown() }),
]);

/** What a browser sent, where it has the form of a message; null where it has not. */
export function readToCore(message: unknown): ToCore | null {
  return schema.safeParse(message).data ?? null;
}
