/** Removes accents and normalizes ligatures, widths and `ª` to plain letters. */
export function fold(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word;
  const folded = word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return folded || word;
}
