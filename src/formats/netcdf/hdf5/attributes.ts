import { type Attributes, type AttributeValue, withoutNul } from "../sink.ts";
import { attribute, bytesOf, FLOAT64, fixedText, INT32, type Message, SCALAR, simple } from "./messages.ts";

/** Longest text of an attribute: a header message has at most 64 kB. */
const MAX_TEXT_BYTES = 60_000;

/** An attribute that is too long for an object header. */
export interface LongText {
  /** Name of the variable, or "/" for a global attribute. */
  readonly owner: string;
  readonly name: string;
  readonly value: string;
}

/** Returns header messages of all attributes that fit into a header. Empty attributes are left out. */
export function attributeMessages(attributes: Attributes): Message[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined || value === "" || isLong(value) ? [] : [attributeMessage(name, value)],
  );
}

/** Returns the attributes that `attributeMessages` leaves out because of their length. */
export function longTexts(owner: string, attributes: Attributes): LongText[] {
  return Object.entries(attributes).flatMap(([name, value]) => (isLong(value) ? [{ owner, name, value }] : []));
}

/** Encodes a number as a double, integers as INT32, and a text with a fixed length. */
function attributeMessage(name: string, value: AttributeValue): Message {
  if (typeof value === "number") return attribute(name, FLOAT64, simple([1]), bytesOf(Float64Array.of(value)));
  if (typeof value !== "string") return attribute(name, INT32, simple([value.length]), bytesOf(value));
  const text = withoutNul(value);
  const bytes = Buffer.from(text);
  return attribute(name, fixedText(bytes.length, bytes.length > text.length), SCALAR, bytes);
}

function isLong(value: AttributeValue | undefined): value is string {
  return typeof value === "string" && Buffer.byteLength(value) > MAX_TEXT_BYTES;
}
