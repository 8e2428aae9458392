/** Reads CSV by RFC 4180, one character at a time, independently of the writer. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quoted) {
      if (c !== '"') field += c;
      else if (text[i + 1] === '"') field += text[++i];
      else quoted = false;
    } else if (c === '"') {
      if (field !== "") throw new Error(`a quote inside an unquoted field, at ${i}`);
      quoted = true;
    } else if (c === ",") {
      row.push(field);
      field = "";
    } else if (c === "\r" && text[i + 1] === "\n") {
      rows.push([...row, field]);
      row = [];
      field = "";
      i++;
    } else if (c === "\r" || c === "\n") {
      throw new Error(`a bare line break outside quotes, at ${i}`);
    } else {
      field += c;
    }
  }
  if (quoted || field !== "" || row.length > 0) throw new Error("the last line is not ended");
  return rows;
}
