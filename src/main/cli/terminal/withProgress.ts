import type { Output } from "./output.ts";
import { bar, hasUnicode, openStatus } from "./progress.ts";

/** Shows how far a work is, from 0 to 1, while it lasts. */
export async function withProgress<T>(
  { output }: { readonly output: Output },
  work: (onProgress: (share: number) => void) => Promise<T>,
): Promise<T> {
  const status = openStatus(output);
  try {
    return await work((share) => {
      const percent = `${Math.floor(share * 100)} %`;
      const line = (columns: number | null) =>
        columns === null ? percent : `${bar(share, 24, hasUnicode())} ${percent}`;
      status.show({ line, data: { share } });
    });
  } finally {
    status.end();
  }
}
