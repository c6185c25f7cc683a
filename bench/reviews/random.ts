const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ã', 'é', 'ô'];
const CONSONANTS = ['b', 'c', 'd', 'f', 'g', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z', 'ch', 'lh', 'pr', 'tr'];
const ENDINGS = ['', 'ção', 'ções', 'mente', 'ar', 'ando', 'ado', 'ada', 'os', 'eira', 'idade'];
const WORDS = 20_000;
const WORDS_OF_COMMENT = 22;

/** What looks like reviews in Portuguese, the same for the same seed: words as frequent as in a language (Zipf). */
export class Random {
  private state: number;
  private readonly words: string[];

  constructor(seed: number) {
    this.state = seed;
    this.words = Array.from({ length: WORDS }, () => this.newWord());
  }

  below(limit: number): number {
    // Numerical Recipes' generator; its high bits are random enough.
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** The more frequent a word, the likelier. */
  word(): string {
    return this.words[Math.floor(WORDS ** (this.below(1_000_000) / 1_000_000)) - 1]!;
  }

  comment(): string {
    return Array.from({ length: WORDS_OF_COMMENT }, () => this.word()).join(' ');
  }

  private newWord(): string {
    const syllables = Array.from({ length: 1 + this.below(3) }, () => this.of(CONSONANTS) + this.of(VOWELS));
    return syllables.join('') + this.of(ENDINGS);
  }
}
