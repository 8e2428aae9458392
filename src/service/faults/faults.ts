import { z } from "zod";
import { type Endpoint, ENDPOINTS } from "../http/route.ts";
import { type Key, keyOf, unit } from "../world/random.ts";

export const amount = z.number().int().min(1);
/** Maximum delay of a timer: some 24 days. */
export const timerMs = amount.max(2 ** 31 - 1);

// Row faults change the rows of a time series, all others the transport.
const faultSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("status").describe("Answers with an error."),
    status: z.number().int().min(400).max(599),
    message: z.string().optional(),
    retryAfter: z.string().optional().describe("The header Retry-After, as it stands."),
  }),
  z.strictObject({ kind: z.literal("slow").describe("Answers later."), delayMs: timerMs }),
  z.strictObject({
    kind: z.literal("drip").describe("Sends the body in small pieces with pauses."),
    pieceBytes: amount,
    delayMs: timerMs,
  }),
  z.strictObject({ kind: z.literal("resetBefore").describe("Resets the connection instead of an answer.") }),
  z.strictObject({
    kind: z.literal("resetInside").describe("Resets the connection within the body."),
    afterBytes: amount,
  }),
  z.strictObject({
    kind: z
      .literal("truncated")
      .describe("Ends the body early: within well-formed HTTP (json, gzip), or not (chunked, length)."),
    how: z.enum(["json", "gzip", "chunked", "length"]),
    afterBytes: amount,
  }),
  z.strictObject({ kind: z.literal("html").describe("Answers with a web page and 200, as a captive portal does.") }),
  z.strictObject({
    kind: z.literal("redirect").describe("Redirects to the same path."),
    origin: z.string().optional().describe("Of another server; default: this one."),
    status: z.number().int().min(301).max(308).optional().describe("Default: 307."),
  }),
  z.strictObject({ kind: z.literal("wrongCount").describe("Adds to count."), by: z.number().int() }),
  z.strictObject({ kind: z.literal("unsorted").describe("Sends rows out of order.") }),
  z.strictObject({ kind: z.literal("duplicated").describe("Sends every row twice.") }),
  z.strictObject({ kind: z.literal("foreignStation").describe("Sends rows of a station that was not asked for.") }),
  z.strictObject({ kind: z.literal("outOfRange").describe("Sends rows from before and after the range, too.") }),
]);

/** When a fault occurs: always, for the next `next` requests, or by chance. */
export const ruleSchema = z.strictObject({
  fault: faultSchema.describe("What goes wrong."),
  endpoints: z.array(z.enum(ENDPOINTS)).optional().describe("Requests to these only; default: all."),
  next: amount.optional().describe("Only so many requests; default: all."),
  probability: z.number().min(0).max(1).optional().describe("By chance, 0 to 1; default: 1."),
});

export type Fault = z.infer<typeof faultSchema>;
export type FaultKind = Fault["kind"];
export type FaultOf<K extends FaultKind> = Extract<Fault, { readonly kind: K }>;
export interface FaultRule extends Omit<z.infer<typeof ruleSchema>, "endpoints"> {
  readonly endpoints?: readonly Endpoint[] | undefined;
}

/** The faults of one request. */
export class Faults {
  readonly #struck: readonly Fault[];

  constructor(struck: readonly Fault[]) {
    this.#struck = struck;
  }

  get kinds(): readonly FaultKind[] {
    return this.#struck.map((fault) => fault.kind);
  }

  has(kind: FaultKind): boolean {
    return this.#struck.some((fault) => fault.kind === kind);
  }

  find<K extends FaultKind>(kind: K): FaultOf<K> | undefined {
    return this.#struck.find((fault): fault is FaultOf<K> => fault.kind === kind);
  }
}

/** Decides which faults a request has; the same seed and the same requests give the same faults. */
export class FaultPlan {
  #rules: { readonly rule: FaultRule; left: number }[] = [];
  readonly #key: Key;
  #drawn = 0;

  constructor(rules: readonly FaultRule[], seed: number) {
    this.#key = keyOf(seed, "faults");
    this.set(rules);
  }

  set(rules: readonly FaultRule[]): void {
    this.#rules = rules.map((rule) => ({ rule, left: rule.next ?? Infinity }));
  }

  strike(endpoint: Endpoint): Faults {
    const struck = this.#rules.filter((entry) => {
      const { endpoints, probability = 1 } = entry.rule;
      if (entry.left <= 0 || (endpoints && !endpoints.includes(endpoint))) return false;
      if (probability < 1 && unit(this.#key, this.#drawn++) >= probability) return false;
      entry.left--;
      return true;
    });
    return new Faults(struck.map((entry) => entry.rule.fault));
  }
}
