/*
 * PostgreSQL's texts hold every character but U+0000. U+0001 escapes it and itself. The order by
 * code points stays. JSON needs no escape: it has none of the two.
 */

export function escapeText(text: string): string {
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001');
}

export function unescapeText(text: string): string {
  return text.replaceAll('\u0001\u0001', '\u0000').replaceAll('\u0001\u0002', '\u0001');
}

/** Encodes a value of a statement: a text or a list of texts. */
export function escapeValue(value: unknown): unknown {
  if (typeof value === 'string') return escapeText(value);
  return Array.isArray(value) ? value.map(escapeValue) : value;
}
