export interface TextPart {
  text: string;
  isMarked: boolean;
}

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** Scripts without spaces are searched by pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Words of one letter are everywhere. */
const LETTER = /^[a-z]$/;
const ACCENTS = /[\u0300-\u036f]+/g;

/** As the server has the words that it searched by. */
function folded(word: string): string {
  return word.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}

/** The text in parts, of which those that a search was after are marked. */
export function markedParts(text: string, words: readonly string[]): TextPart[] {
  const sought = new Set(words.filter((word) => !LETTER.test(word)));
  const marks = [...text.matchAll(WORD)].flatMap(({ 0: word, index }) =>
    UNSPACED.test(word)
      ? within(word, index, words)
      : sought.has(folded(word))
        ? [{ from: index, to: index + word.length }]
        : [],
  );
  return partsOf(text, marks);
}

interface Mark {
  from: number;
  to: number;
}

function within(run: string, start: number, words: readonly string[]): Mark[] {
  const lower = run.toLowerCase();
  const found = words.flatMap((word) => {
    const index = UNSPACED.test(word) ? lower.indexOf(word) : -1;
    return index === -1 ? [] : [{ from: start + index, to: start + index + word.length }];
  });
  return found.sort((one, other) => one.from - other.from);
}

function partsOf(text: string, marks: readonly Mark[]): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { from, to } of marks) {
    if (from > end) parts.push({ text: text.slice(end, from), isMarked: false });
    if (to > end) parts.push({ text: text.slice(Math.max(from, end), to), isMarked: true });
    end = Math.max(end, to);
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMarked: false });
  return parts;
}

const MOST_OVERLAP = 1_200;
const LEAST_OVERLAP = 12;

/** The text of a passage without what it repeats of the passage before. */
export function withoutOverlap(before: string | undefined, text: string): string {
  if (before === undefined) return text;
  for (let length = Math.min(MOST_OVERLAP, before.length, text.length); length >= LEAST_OVERLAP; length--) {
    if (before.endsWith(text.slice(0, length))) return text.slice(length).trimStart();
  }
  return text;
}
