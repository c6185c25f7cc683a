import type { Random } from '../reviews/random.ts';

const LEAST_LETTERS = 6;

/** A text as somebody types it in a hurry: about two of three long words have neighbours swapped, a letter too few or twice. */
export function withTypingErrors(text: string, random: Random): string {
  return text
    .split(' ')
    .map((word) => (word.length < LEAST_LETTERS || random.below(3) === 0 ? word : mistyped(word, random)))
    .join(' ');
}

/** The first letter is right, as it mostly is. */
function mistyped(word: string, random: Random): string {
  const at = 1 + random.below(word.length - 2);
  const before = word.slice(0, at);
  const [letter = '', next = ''] = word.slice(at);
  const after = word.slice(at + 2);
  return (
    before + random.of([next + letter, next + letter, next, letter + letter + next, random.of(LETTERS) + next]) + after
  );
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
