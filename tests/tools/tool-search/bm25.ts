/** The constants that most implementations begin with. */
const K1 = 1.2;
const B = 0.75;

/** Ranks documents as hosts do that load a tool once a search finds it. */
export class Bm25<Name> {
  private readonly documents: { name: Name; counts: Map<string, number>; length: number }[];
  private readonly averageLength: number;

  constructor(texts: [Name, string][]) {
    this.documents = texts.map(([name, text]) => {
      const words = wordsOf(text);
      return { name, counts: countsOf(words), length: words.length };
    });
    this.averageLength = this.documents.reduce((sum, { length }) => sum + length, 0) / this.documents.length;
  }

  /** Best first. */
  rank(query: string): { name: Name; score: number }[] {
    const words = [...new Set(wordsOf(query))];
    return this.documents
      .map(({ name, counts, length }) => {
        const norm = K1 * (1 - B + (B * length) / this.averageLength);
        const scores = words.map((word) => {
          const count = counts.get(word) ?? 0;
          return (this.rarityOf(word) * count * (K1 + 1)) / (count + norm);
        });
        return { name, score: scores.reduce((sum, score) => sum + score, 0) };
      })
      .sort((one, other) => other.score - one.score);
  }

  private rarityOf(word: string): number {
    const having = this.documents.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (this.documents.length - having + 0.5) / (having + 0.5));
  }
}

/** In lower case; `aggregate_events` is two words. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function countsOf(words: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
