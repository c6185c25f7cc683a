export function containsText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

/** Without accents, in lower case. */
export function searchKey(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

export function searchByName<Item>(items: readonly Item[], nameOf: (item: Item) => string, search: string): Item[] {
  const whole = items.filter((item) => containsText(nameOf(item), search));
  if (whole.length > 0) return whole;
  const words = search.split(/\s+/).filter((word) => word.length >= 3);
  return items.filter((item) => words.some((word) => containsText(nameOf(item), word)));
}
