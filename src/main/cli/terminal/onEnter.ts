/** Calls `pressed` whenever Enter is pressed in the terminal. @returns a function that stops it */
export function onEnter(pressed: () => void, stdin: NodeJS.ReadableStream = process.stdin): () => void {
  const read = (typed: Buffer): void => {
    if (typed.includes("\n")) pressed();
  };
  stdin.on("data", read);
  return () => {
    stdin.off("data", read);
    stdin.pause();
  };
}
