import { isObject } from '../../../base/json-schema/values.ts';
import type { PathStyle, QueryStyle } from '../definition/resource-schema.ts';

export function scalarText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

const UNRESERVED = /^[\w.~-]*$/;

/** Encodes all but the unreserved characters (RFC 3986, 2.3). */
export function percentEncoded(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * OpenAPI's `allowReserved`: reserved characters and encoded ones pass, but for those that a server
 * would read as the end of the value or a blank: # & + ; [ ].
 */
export function encodeUnreserved(text: string): string {
  return percentEncoded(text)
    .replace(/%(21|24|27|28|29|2A|2C|2F|3A|3D|3F|40)/g, decodeURIComponent)
    .replace(/%25(?=[0-9a-f]{2})/gi, '%');
}

export function lengthOfPairs(pairs: readonly { name: string; text: string }[]): number {
  return pairs.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
}

export function formText(pairs: readonly { name: string; encoded: string }[]): string {
  return pairs.map(({ name, encoded }) => `${percentEncoded(name)}=${encoded}`).join('&');
}

export interface Pair {
  name: string;
  text: string;
  encoded: string;
}

/** `content` is that of form members without a style in OpenAPI: JSON, but for plain texts. */
export type ValueStyle = QueryStyle | PathStyle | 'content';

interface Rule {
  /** Joins items, or names and values, to one text. Without it each is a pair of its own. */
  delimiter?: string;
  /** Lists are pairs with the name of the parameter. */
  repeats?: true;
  /** Objects are pairs with the names of their members. */
  spreads?: true;
  /** Lists and objects within; without it they are refused. */
  nested?: 'json' | 'brackets';
  listKey?: (index: number) => string;
  /** In a path or header: the texts before and between pairs, and whether these have names. */
  first?: string;
  between?: string;
  named?: true;
}

const exploded = { repeats: true, spreads: true } as const;

const RULES: Record<ValueStyle, Rule> = {
  form: { repeats: true, nested: 'brackets' },
  spread: { ...exploded, nested: 'brackets' },
  comma: { delimiter: ',' },
  spaceDelimited: { delimiter: ' ' },
  pipeDelimited: { delimiter: '|' },
  deepObject: { nested: 'brackets' },
  brackets: { nested: 'brackets', listKey: () => '' },
  json: { nested: 'json' },
  content: { repeats: true, nested: 'json' },
  simple: { delimiter: ',' },
  simpleExploded: { ...exploded, between: ',' },
  label: { delimiter: ',', first: '.' },
  labelExploded: { ...exploded, first: '.', between: '.' },
  matrix: { delimiter: ',', first: ';', named: true },
  matrixExploded: { ...exploded, first: ';', between: ';', named: true },
};

/** Pairs, or a message for a value that the style cannot express. Null is left out. */
export function pairsOf(name: string, value: unknown, style: ValueStyle, encode = percentEncoded): Pair[] | string {
  const { delimiter, repeats, spreads, nested, listKey } = RULES[style];
  const pair = (one: string, text: string): Pair => ({ name: one, text, encoded: encode(text) });
  const text = scalarText(value);
  if ((value ?? null) === null) return [];
  if (style === 'json') return [pair(name, JSON.stringify(value))];
  if (text !== null) return [pair(name, text)];
  const entries = Object.entries(value as object).filter(([, item]) => item !== null);
  const isList = Array.isArray(value);
  const isPlain = entries.every(([, item]) => scalarText(item) !== null);
  if (!isPlain && nested === undefined) return `must have no lists and objects within: it is sent as ${style}`;
  if (delimiter !== undefined) {
    const texts = entries.flatMap(([member, item]) => [...(isList ? [] : [member]), scalarText(item)!]);
    return delimitedPair(name, texts, delimiter, encode);
  }
  const one = (of: string, item: unknown): Pair[] =>
    nested === 'json'
      ? [pair(of, scalarText(item) ?? JSON.stringify(item))]
      : nestedPairs(of, item, listKey).map(([at, leaf]) => pair(at, leaf));
  if (isList && repeats && (isPlain || nested === 'json')) return entries.flatMap(([, item]) => one(name, item));
  if (isList || !spreads) return one(name, value);
  // `form` expresses any value.
  return entries.flatMap(([member, item]) => pairsOf(member, item, 'form', encode) as Pair[]);
}

/** A value of a path or header, as it is and encoded, or a message. */
export function joinedText(name: string, value: unknown, style: PathStyle): Omit<Pair, 'name'> | string {
  const pairs = pairsOf(name, value, style);
  if (typeof pairs === 'string') return pairs;
  const { spreads, first = '', between = '', named } = RULES[style];
  const hasNames = named || (spreads && isObject(value));
  const pieces = pairs.map(({ name: one, text, encoded }) =>
    hasNames ? { text: `${one}=${text}`, encoded: `${percentEncoded(one)}=${encoded}` } : { text, encoded },
  );
  const joined = (member: 'text' | 'encoded') => first + pieces.map((one) => one[member]).join(between);
  return pieces.length === 0 ? 'must not be empty' : { text: joined('text'), encoded: joined('encoded') };
}

function delimitedPair(
  name: string,
  texts: string[],
  delimiter: string,
  encode: typeof percentEncoded,
): Pair[] | string {
  if (texts.length === 0) return [];
  // Only a comma remains distinct from an encoded one; the others are always encoded.
  if (delimiter !== ',' && texts.some((text) => text.includes(delimiter))) {
    return `must not have ${JSON.stringify(delimiter)} within an item: it stands between them`;
  }
  const encoded = texts
    .map((text) => encode(text).replaceAll(',', '%2C'))
    .join(delimiter === ',' ? ',' : percentEncoded(delimiter));
  return [{ name, text: texts.join(delimiter), encoded }];
}

/** `a[b]=c` and `a[0]=c`, as Stripe, PHP, Rails and qs read them. Omits null. */
function nestedPairs(name: string, value: unknown, listKey: Rule['listKey'] = String): [string, string][] {
  const text = scalarText(value);
  if (text !== null) return [[name, text]];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => nestedPairs(`${name}[${listKey(index)}]`, item, listKey));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([member, one]) => nestedPairs(`${name}[${member}]`, one, listKey));
}

const MAX_ROUNDS = 5;
const PLAIN = /^[\w-]+$/;

/** A value, written as `written`, must stay in its path segment, however often it is decoded. */
export function problemOfPathValue(value: unknown, written: string): string | null {
  for (const text of [written, ...textsIn(value)]) {
    const problem = problemOfText(text);
    if (problem !== null) return problem;
  }
  return null;
}

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [scalarText(value) ?? ''];
  const items = Object.values(value).flatMap(textsIn);
  return Array.isArray(value) ? items : [...Object.keys(value), ...items];
}

function problemOfText(text: string): string | null {
  if (PLAIN.test(text)) return null;
  if (text === '') return 'must not be empty: it is a part of the path';
  if (/\p{Cc}/u.test(text)) return 'must have no control characters';
  if (!text.isWellFormed()) return 'contains a lone surrogate, which is not valid Unicode';
  if (isTraversal(text)) return 'must not have a part . or ..: it would lead to another path';
  return null;
}

/** Some proxies decode `%2F`, even twice, treat `\` as `/`, or ignore what follows a semicolon. */
function isTraversal(text: string): boolean {
  return readings(text).some((reading) => reading.split(/[/\\]/).some((part) => /^\.{1,2}(;|$)/.test(part)));
}

function readings(text: string): string[] {
  const all = [text];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const last = all.at(-1)!;
    const decoded = last.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === last) break;
    all.push(decoded);
  }
  return all;
}
