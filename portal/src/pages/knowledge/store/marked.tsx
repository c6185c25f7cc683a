import { markedParts } from '../marks.ts';

/** A text with the words that were searched marked. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  return markedParts(text, words).map(({ text: part, isMarked }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in their order
    isMarked ? <mark key={index}>{part}</mark> : <span key={index}>{part}</span>,
  );
}
