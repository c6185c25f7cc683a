export interface VocabularyWord {
  word: string;
  chunks: number;
}

/** Shorter words have too many neighbours. */
const MIN_LENGTH = 4;
const LONG = 6;
/** Words with most common trigrams that are compared letter by letter. */
const COMPARED = 100;
const REPAIRS = 2;
const BUCKETS = 1 << 16;

/** Suggests words within two edits (one for short words); farther ones are usually unrelated. */
export class SpellingIndex {
  private readonly words: readonly VocabularyWord[];
  /** Indexes into `words` by trigram: bucket b is starts[b] to starts[b + 1]. */
  private readonly starts = new Uint32Array(BUCKETS + 1);
  private readonly wordIndexes: Uint32Array;
  private readonly shared: Uint8Array;

  constructor(vocabulary: readonly VocabularyWord[]) {
    this.words = vocabulary.filter(({ word }) => word.length >= MIN_LENGTH - 1 && word.length <= 40);
    for (const { word } of this.words) {
      for (let at = 0; at < word.length - 1; at += 1) this.starts[bucketOf(word, at) + 1]! += 1;
    }
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) this.starts[bucket + 1]! += this.starts[bucket]!;
    this.wordIndexes = new Uint32Array(this.starts[BUCKETS]!);
    const filled = this.starts.slice();
    this.words.forEach(({ word }, index) => {
      for (let at = 0; at < word.length - 1; at += 1) this.wordIndexes[filled[bucketOf(word, at)]!++] = index;
    });
    this.shared = new Uint8Array(this.words.length);
  }

  /** At most two, without the word itself. */
  repairs(word: string): string[] {
    if (word.length < MIN_LENGTH || /\p{N}/u.test(word)) return [];
    const allowed = word.length >= LONG ? 2 : 1;
    const near = this.candidates(word, allowed)
      .map((candidate) => ({ ...candidate, edits: editsBetween(word, candidate.word) }))
      .filter(({ edits }) => edits > 0 && edits <= allowed)
      .sort((one, other) => one.edits - other.edits || other.chunks - one.chunks);
    return near
      .filter(({ edits }) => edits === near[0]?.edits)
      .slice(0, REPAIRS)
      .map((candidate) => candidate.word);
  }

  private candidates(word: string, allowed: number): VocabularyWord[] {
    const touched: number[] = [];
    for (let at = 0; at < word.length - 1; at += 1) {
      const bucket = bucketOf(word, at);
      for (let entry = this.starts[bucket]!; entry < this.starts[bucket + 1]!; entry += 1) {
        const index = this.wordIndexes[entry]!;
        if (this.shared[index]! === 0) touched.push(index);
        this.shared[index]! += 1;
      }
    }
    const near = touched
      .filter((index) => Math.abs(this.words[index]!.word.length - word.length) <= allowed)
      .map((index) => ({ index, shared: this.shared[index]! }))
      .sort((one, other) => other.shared - one.shared)
      .slice(0, COMPARED);
    for (const index of touched) this.shared[index] = 0;
    return near.map(({ index }) => this.words[index]!);
  }
}

/** The trigram around `at`; a mark precedes the first letter. */
function bucketOf(word: string, at: number): number {
  const before = at === 0 ? 60 : word.charCodeAt(at - 1);
  const hash = before * 961 + word.charCodeAt(at) * 31 + word.charCodeAt(at + 1);
  return (hash ^ (hash >>> 13)) & (BUCKETS - 1);
}

/** Optimal string alignment distance. */
function editsBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = last[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1);
      let edits = Math.min(last[column]! + 1, current[column - 1]! + 1, replaced);
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (swapped) edits = Math.min(edits, beforeLast[column - 2]! + 1);
      current.push(edits);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length]!;
}
