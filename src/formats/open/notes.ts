import { count } from "#shared/text.ts";

const MAX_NOTES = 40;

/** Distinct sentences about a file, limited in number, because a hostile file could cause thousands. */
export interface Notes {
  add(sentence: string): void;
  /** Counts how often a sentence applies; it is not added as long as it never does. */
  count(sentence: string, times?: number): void;
  all(): string[];
}

export function createNotes(): Notes {
  /** How often each sentence applies; 0 for a sentence that is not counted. */
  const sentences = new Map<string, number>();
  return {
    add: (sentence) => void sentences.set(sentence, 0),
    count(sentence, times = 1) {
      if (times > 0) sentences.set(sentence, times + (sentences.get(sentence) ?? 0));
    },
    all() {
      const more = sentences.size - MAX_NOTES;
      const shown = [...sentences]
        .slice(0, MAX_NOTES)
        .map(([sentence, times]) => (times === 0 ? sentence : `${sentence}: ${count(times)}.`));
      return more > 0 ? [...shown, `There are ${more} more remarks of this kind.`] : shown;
    },
  };
}

export function quotedName(name: string): string {
  return `“${name.length > 60 ? `${name.slice(0, 60)}…` : name}”`;
}

export function listed(names: readonly string[]): string {
  const [shown, more] = [names.slice(0, 5).map(quotedName), names.length - 5];
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

/** The text that all parts of a file have; null if they differ. */
export function common(texts: readonly (string | null)[]): string | null {
  const [first = null] = texts;
  return texts.every((text) => text === first) ? first : null;
}
