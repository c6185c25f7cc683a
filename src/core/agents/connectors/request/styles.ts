import { isObject } from '../../../base/json-schema/values.ts';
import type { PathStyle, QueryStyle } from '../definition/styles.ts';
import { encodeText, scalarText } from './form-text.ts';

export interface Pair {
  name: string;
  text: string;
  encoded: string;
}

/** `content` is that of form members without a style in OpenAPI: JSON, but for plain texts. */
export type Style = QueryStyle | PathStyle | 'content';

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

const RULES: Record<Style, Rule> = {
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
export function pairsOf(name: string, value: unknown, style: Style, encode = encodeText): Pair[] | string {
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
    hasNames ? { text: `${one}=${text}`, encoded: `${encodeText(one)}=${encoded}` } : { text, encoded },
  );
  const joined = (member: 'text' | 'encoded') => first + pieces.map((one) => one[member]).join(between);
  return pieces.length === 0 ? 'must not be empty' : { text: joined('text'), encoded: joined('encoded') };
}

function delimitedPair(name: string, texts: string[], delimiter: string, encode: typeof encodeText): Pair[] | string {
  if (texts.length === 0) return [];
  // Only a comma remains distinct from an encoded one; the others are always encoded.
  if (delimiter !== ',' && texts.some((text) => text.includes(delimiter))) {
    return `must not have ${JSON.stringify(delimiter)} within an item: it stands between them`;
  }
  const encoded = texts
    .map((text) => encode(text).replaceAll(',', '%2C'))
    .join(delimiter === ',' ? ',' : encodeText(delimiter));
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
