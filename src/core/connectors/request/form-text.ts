import { isObject } from '../../json-schema/values.ts';
import type { QueryStyle } from '../definition/resource-schema.ts';

export interface Pair {
  name: string;
  text: string;
  /** Set when items are encoded separately. */
  encoded?: string;
}

export function scalarText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** For a path or header. Null for objects and nested lists. */
export function simpleTexts(value: unknown): string[] | null {
  const texts = (Array.isArray(value) ? value : [value]).map(scalarText);
  return texts.length > 0 && texts.every((text) => text !== null) ? texts : null;
}

const UNRESERVED = /^[\w.~-]*$/;

/** Encodes all but the unreserved characters (RFC 3986, 2.3). */
export function encodeText(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export function lengthOf(pairs: readonly Pair[]): number {
  return pairs.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
}

export function formText(pairs: readonly Pair[]): string {
  return pairs.map(({ name, text, encoded }) => `${encodeText(name)}=${encoded ?? encodeText(text)}`).join('&');
}

/** `a[b]=c` and `a[0]=c`, as Stripe, PHP, Rails and qs read them. Omits null. */
export function nestedPairs(name: string, value: unknown, listKey: (index: number) => string = String): Pair[] {
  const text = scalarText(value);
  if (text !== null) return [{ name, text }];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => nestedPairs(`${name}[${listKey(index)}]`, item, listKey));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([member, one]) => nestedPairs(`${name}[${member}]`, one, listKey));
}

const SEPARATORS: Partial<Record<QueryStyle, string>> = { comma: ',', spaceDelimited: ' ', pipeDelimited: '|' };

/** Pairs, or a message. Omits null. */
export function queryPairs(name: string, value: unknown, style: QueryStyle): Pair[] | string {
  const items = Array.isArray(value) ? value.filter((item) => item !== null) : null;
  const texts = items?.map(scalarText).filter((text) => text !== null);
  const isPlain = texts !== undefined && texts.length === items!.length;
  const separator = SEPARATORS[style];
  if (separator !== undefined && typeof value === 'object') {
    return isPlain
      ? separatedPair(name, texts, separator)
      : `must be one value or an array of them: it is sent as ${style}`;
  }
  if (style === 'brackets') return nestedPairs(name, value, () => '');
  return style === 'form' && isPlain ? texts.map((text) => ({ name, text })) : nestedPairs(name, value);
}

function separatedPair(name: string, texts: string[], separator: string): Pair[] | string {
  if (texts.length === 0) return [];
  // Only a comma remains distinct from an encoded one; blank and bar are always encoded.
  if (separator !== ',' && texts.some((text) => text.includes(separator))) {
    return `must not have "${separator}" within an item: it stands between them`;
  }
  const encoded = texts.map(encodeText).join(separator === ',' ? ',' : encodeText(separator));
  return [{ name, text: texts.join(separator), encoded }];
}
