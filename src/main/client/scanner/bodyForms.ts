import type { BodyReport } from "../errors/bodyReport.ts";

/** The form of a time series body, once it has been read to its end. */
export interface BodyForm {
  /** The kind of its field `data`; a bare list is the list of rows itself; `empty` is a body without any value. */
  readonly data: "list" | "null" | "other" | "absent" | "empty";
  /** Elements of the list. */
  readonly rows: number;
  /** Elements without a readable time. */
  readonly timeless: number;
  readonly words: BodyReport;
}

/**
 * - rows: the list is the data
 * - nothing: the service reports that it has no data for the request
 * - refused: an error instead of data
 * - unusable: the response does not settle what data there is
 * - otherShape: not a response of this service
 */
export type BodyVerdict = "rows" | "nothing" | "refused" | "unusable" | "otherShape";

/**
 * Returns the meaning of a response with status 200. The specification (4.4) leaves open how a service reports that it
 * has no data. Any well-formed way is believed; an error, an empty body, or a contradiction never is.
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
 * Report fields count wherever services put them: at the top, or in a field such as `meta`, `status` or `pagination`. A
 * body that refers to more rows elsewhere (`next`, `has_more`, more pages) is incomplete, see `sync/doubts`.
 *
 * Also, 204 means nothing, and so does a 404 whose sentence reports that there are no data (timeSeries.ts).
 */
export function classifyBody({ data, rows, timeless, words }: BodyForm, hasFields: boolean): BodyVerdict {
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
