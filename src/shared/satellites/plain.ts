const COMMA = 44;
const POINT = 46;
const SLASH = 47;
const ZERO = 48;
const NINE = 57;
/** So many digits and a point are exact in a double, and so is the power of ten below them. */
const MOST_CHARACTERS = 15;

/**
 * Reads the texts that nearly all are, `45.1,44.0` or `45.1/38.2,44.0/37.5`, in one pass and without a string in
 * between: plain decimals, `items` of them between the commas, each of one or more parts.
 *
 * @param columns receives part k of item i at `columns[k][i]`, NaN where an item has fewer parts; columns of another
 * length are replaced
 * @returns the most parts that an item has; 0 where anything in the text is out of the ordinary: `columns` then holds
 * nothing of use, and the text has to be read with care
 */
export function readPlain(text: string, items: number, columns: Float64Array[], mostParts: number): number {
  let item = 0;
  let part = 0;
  let most = 0;
  let digits = 0;
  let scale = 0;
  let characters = 0;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : COMMA;
    if (code >= ZERO && code <= NINE) {
      digits = digits * 10 + code - ZERO;
      scale *= 10;
      characters++;
    } else if (code === POINT && scale === 0 && characters > 0) {
      scale = 1;
      characters++;
    } else if (code === COMMA || code === SLASH) {
      if (characters === 0 || characters > MOST_CHARACTERS || item >= items || part >= mostParts) return 0;
      if (part >= most) columnAt(columns, most++, items).fill(Number.NaN);
      columns[part]![item] = scale === 0 ? digits : digits / scale;
      part = code === SLASH ? part + 1 : 0;
      if (code === COMMA) item++;
      digits = scale = characters = 0;
    } else {
      return 0;
    }
  }
  return item === items ? most : 0;
}

function columnAt(columns: Float64Array[], place: number, items: number): Float64Array {
  const column = columns[place];
  return column?.length === items ? column : (columns[place] = new Float64Array(items));
}
