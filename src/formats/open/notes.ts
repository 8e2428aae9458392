const MOST_NOTES = 40;

/** Sentences about a file, each once; a hostile file does not make a book of them. */
export interface Notes {
  add(sentence: string): void;
  all(): string[];
}

export function createNotes(): Notes {
  const sentences = new Set<string>();
  return {
    add: (sentence) => void sentences.add(sentence),
    all() {
      const more = sentences.size - MOST_NOTES;
      const shown = [...sentences].slice(0, MOST_NOTES);
      return more > 0 ? [...shown, `There are ${more} more remarks of this kind.`] : shown;
    },
  };
}

/** A name of the file in a sentence: quoted, and not longer than the sentence bears. */
export function quoted(name: string): string {
  return `“${name.length > 60 ? `${name.slice(0, 60)}…` : name}”`;
}

/** Several names in a sentence. */
export function listed(names: readonly string[]): string {
  const [shown, more] = [names.slice(0, 5).map(quoted), names.length - 5];
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
