import type { Scalar } from '../../../../core/analytics/events/predicates.ts';

/*
 * Statements are plain ASCII: every other byte of a text is escaped by its number, so nothing can
 * end a literal.
 */

const HARMLESS = /^[A-Za-z0-9 _.,:;@~/+-]*$/;

export function text(value: string): string {
  if (HARMLESS.test(value)) return `'${value}'`;
  let escaped = '';
  for (const byte of Buffer.from(value)) {
    const character = String.fromCharCode(byte);
    escaped += HARMLESS.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `'${escaped}'`;
}

/** Shortest decimal, which the engine reads back as the same double. */
export function number(value: number): string {
  return String(value === 0 ? 0 : value);
}

export function integer(value: number): string {
  return `toInt64(${Math.trunc(value)})`;
}

/** An element of a list; the engine compares it as text. */
export function encodedElement(value: Scalar): string {
  if (typeof value === 'string') return `s${value}`;
  return typeof value === 'number' ? `n${value + 0}` : `j${value}`;
}
