import { diffArrays } from 'diff';

export interface Part {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

export interface Comparison {
  /** Lines, where there are too many words or changes. */
  by: 'words' | 'lines';
  parts: Part[];
}

/** The time grows with the square of the changes. */
const MAX_CHANGES = 1_500;
const MAX_CHARACTERS = { words: 200_000, lines: 2_000_000 };

/** Words, spaces and signs, in any language. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

const PIECES = {
  words: (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment),
  lines: (text: string) => text.split(/(?<=\n)/),
};

/** Compares two texts; null if they are too long or too different to tell. */
export function compare(before: string, after: string): Comparison | null {
  return compareBy('words', before, after) ?? compareBy('lines', before, after);
}

function compareBy(by: Comparison['by'], before: string, after: string): Comparison | null {
  if (before.length + after.length > MAX_CHARACTERS[by]) return null;
  const changes = diffArrays(PIECES[by](before), PIECES[by](after), { maxEditLength: MAX_CHANGES });
  if (changes === undefined) return null;
  const parts = changes.map(({ added, removed, value }): Part => {
    return { kind: added ? 'added' : removed ? 'removed' : 'same', text: value.join('') };
  });
  return { by, parts: joined(parts) };
}

/** Changes that only spaces part are read as one: first all that was removed, then all that was added. */
function joined(parts: readonly Part[]): Part[] {
  const out: Part[] = [];
  let [removed, added] = ['', ''];
  const flush = () => {
    if (removed !== '') out.push({ kind: 'removed', text: removed });
    if (added !== '') out.push({ kind: 'added', text: added });
    [removed, added] = ['', ''];
  };
  for (const [index, { kind, text }] of parts.entries()) {
    const next = parts[index + 1];
    const isBetween = kind === 'same' && removed + added !== '' && next !== undefined && /^[^\S\n]+$/.test(text);
    if (kind === 'removed' || isBetween) removed += text;
    if (kind === 'added' || isBetween) added += text;
    if (kind !== 'same' || isBetween) continue;
    flush();
    out.push({ kind, text });
  }
  flush();
  return out;
}
