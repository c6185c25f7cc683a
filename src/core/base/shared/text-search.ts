export function containsText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

/** Without accents, in lower case. */
export function searchKey(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Callers choose both sides, and the search holds up the whole server. */
const MAX_WORDS = 12;

export function searchByName<Item>(items: readonly Item[], nameOf: (item: Item) => string, search: string): Item[] {
  const names = items.map((item) => nameOf(item).toLowerCase());
  const withAny = (words: string[]) => items.filter((_, index) => words.some((word) => names[index]!.includes(word)));
  const sought = search.toLowerCase();
  const whole = withAny([sought]);
  if (whole.length > 0) return whole;
  const words = sought.split(/\s+/).filter((word) => word.length >= 3);
  return withAny(words.slice(0, MAX_WORDS));
}
