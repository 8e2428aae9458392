import type { Words } from "../errors/inside.ts";

/** What a time series body turned out to be, once it was read to its end. */
export interface Form {
  /** What stands in its field `data`; a bare list is the rows themselves; `empty` is a body without any value. */
  readonly data: "list" | "null" | "other" | "absent" | "empty";
  /** Elements of the list. */
  readonly rows: number;
  /** Those without a readable time. */
  readonly timeless: number;
  readonly words: Words;
}

/**
 * - rows: the list is what there is
 * - nothing: the service says that it has nothing for what was asked
 * - refused: an error in place of an answer
 * - unusable: an answer from which nobody can tell what there is
 * - otherShape: no answer of this service
 */
export type FormVerdict = "rows" | "nothing" | "refused" | "unusable" | "otherShape";

/**
 * What each form of an answer with status 200 stands for. The specification (4.4) leaves open how a service says that it
 * has nothing. Whatever says so in any well-formed way is believed; an error, silence, or a contradiction never is.
 *
 * | body | verdict |
 * |---|---|
 * | `{"data":[…],"count":n}`, `{"data":[…]}`, bare `[…]` | rows |
 * | the same, and no row has a readable time | unusable |
 * | the same with an error beside it: a text, an object, a list, `success: false`, `status: "failed"` | unusable |
 * | `{"data":[],"count":0}`, `{"data":[]}`, `[]` | nothing |
 * | the same with "no data" or "ok" as its message | nothing |
 * | the same with any other message or warning | unusable |
 * | the same and `count` above 0 | unusable |
 * | `{"count":0}`, `{"data":null,"count":0}` | nothing |
 * | `{"data":null}`, `{"data":{…}}` and `data` of any other kind | unusable |
 * | `{"error":…}`, `{"message":…}` and neither data nor count | refused |
 * | `{}`, `null`, no body at all, or only white space | unusable |
 * | an object with none of these fields | otherShape |
 *
 * Words count wherever services put them: at the top, or in a field such as `meta`, `status` or `pagination`. A body that
 * says to go on elsewhere (`next`, `has_more`, more pages) is not whole, see `sync/doubts`.
 *
 * Beside these: 204 is nothing, and so is a 404 whose sentence says that there are no data (timeSeries.ts).
 */
export function verdictOfForm({ data, rows, timeless, words }: Form, hasFields: boolean): FormVerdict {
  const { trouble, remark, count } = words;
  if (data === "empty") return "unusable";
  if (data === "absent") {
    if (count === 0 && trouble === null && remark === null) return "nothing";
    if (count !== null) return "unusable";
    if (trouble !== null || remark !== null) return "refused";
    return hasFields ? "otherShape" : "unusable";
  }
  if (trouble !== null) return "unusable";
  if (data === "list" && rows > 0) return timeless === rows ? "unusable" : "rows";
  if (remark !== null || (count ?? 0) > 0) return "unusable";
  if (data === "list") return "nothing";
  return data === "null" && count === 0 ? "nothing" : "unusable";
}
