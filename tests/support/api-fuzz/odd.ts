import type { Random } from './random.ts';

/** JSON as it is to stand in a body, though no value of ours can say it. */
export class Literal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const nested = (levels: number, open: string, close: string) =>
  new Literal(`${open.repeat(levels)}1${close.repeat(levels)}`);

/** What no schema of ours asks for, or asks for seldom. */
const ODD: (() => unknown)[] = [
  ...[null, true, false, 0, 1, -1, 0.1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 5e-324].map((value) => () => value),
  ...['1e999', '-1e999', '-0', '-0.0', '1E400', '123456789012345678901234567890', '0.1e-400'].map(
    (text) => () => new Literal(text),
  ),
  ...['', ' ', '\t\r\n', 'NaN', 'Infinity', '-0', '0x10', 'null', 'undefined', 'true', '[object Object]'].map(
    (text) => () => text,
  ),
  ...['\u0000', 'a\u0000b', '\ud800', '\udc00\ud800', '\uffff', '\u202e', 'e\u0301', '\u{1f468}\u200d\u{1f469}'].map(
    (text) => () => text,
  ),
  ...['0000-01-01', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00.000Z'].map(
    (text) => () => text,
  ),
  ...['+275760-09-13T00:00:00.001Z', '-271821-04-20T00:00:00Z', '2016-12-31T23:59:60Z', '2026-02-30'].map(
    (text) => () => text,
  ),
  ...['2026-03-01T24:00:00Z', '1970-01-01T00:00:00-23:59', '-9999999999d', '-1h', 'today', 'tomorrow'].map(
    (text) => () => text,
  ),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '../../etc/passwd', "'; DROP TABLE events; --"].map(
    (text) => () => text,
  ),
  ...['{{7*7}}', '#{7*7}', '%00', '%s%n', '*', '.', '..', '$.a[0]', 'a.b.c', 'properties.', '\\', '"'].map(
    (text) => () => text,
  ),
  () => 'x'.repeat(201),
  () => 'é'.repeat(5_000),
  () => '🌍'.repeat(30_000),
  () => [],
  () => ({}),
  () => [[]],
  () => [null],
  () => ({ '': '' }),
  () => withOwn({}, '__proto__', { polluted: true }),
  () => withOwn({}, 'constructor', { prototype: { polluted: true } }),
  () => Array.from({ length: 1_001 }, (_, index) => index),
  () => nested(12, '[', ']'),
  () => nested(70, '{"a":', '}'),
  () => nested(200, '[', ']'),
  () => nested(200, '{"a":', '}'),
];

export function oddValue(random: Random): unknown {
  return random.oneOf(ODD)();
}

/** Texts only, for where a value is a text anyway: queries, paths, fields of forms. */
export function oddText(random: Random): string {
  const value = oddValue(random);
  if (typeof value === 'string') return value;
  return value instanceof Literal ? value.text : JSON.stringify(value);
}

/** The value with one thing about it changed: a member left out, replaced, wrapped, or one too many. */
export function spoiled(value: unknown, random: Random): unknown {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  // Seldom the whole, mostly something in it.
  if (value instanceof Literal || names.length === 0 || random.chance(0.1))
    return random.chance(0.2) ? [value] : oddValue(random);
  const name = random.oneOf(names);
  const way = random.below(10);
  const changed = (member: unknown) => {
    if (way < 4) return spoiled(member, random);
    if (way < 7) return oddValue(random);
    return random.chance(0.5) ? [member, member] : { value: member };
  };
  if (Array.isArray(value)) {
    const more = way === 8 ? [oddValue(random)] : [changed(value[Number(name)])];
    return value.toSpliced(Number(name), way === 8 ? 0 : 1, ...(way === 7 ? [] : more));
  }
  const copy: Record<string, unknown> = { ...(value as object) };
  if (way === 7) delete copy[name];
  else if (way === 8) withOwn(copy, random.oneOf(STRANGE_NAMES), oddValue(random));
  else withOwn(copy, name, changed(copy[name]));
  return copy;
}

const STRANGE_NAMES = ['__proto__', 'constructor', 'unknown', '', 'tenantId', 'a.b', 'x'.repeat(1_000), '\u0000', 'é'];

/** Also where the name is `__proto__`, which an assignment would take for something else. */
function withOwn<T extends object>(object: T, name: string, value: unknown): T {
  return Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** As JSON.stringify, with literals as they are. */
export function written(value: unknown): string {
  if (value instanceof Literal) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => written(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(',')}}`;
}

/** A body's text with a fault that makes it no JSON, or JSON that is written in an odd way. */
export function misspelled(text: string, random: Random): string {
  const ways: (() => string)[] = [
    () => text.slice(0, random.below(text.length + 1)),
    () => `\ufeff${text}`,
    () => `${text}${text}`,
    () => text.replace(/}$/, ',}'),
    () => text.replaceAll('"', "'"),
    () => text.replace(/:(true|\d+|"[^"]*")/, ':NaN'),
    () => text.replace(/^\{("[^"]*"):/, '{$1:1,$1:'),
    () => text.replace(/"([^"]{2,})"(?!:)/, '"\\ud800$1"'),
    () => text.replace(/"([^"]{2,})"/, '"\\u0000$1"'),
    () => `/* comment */${text}`,
    () => ` \n\t${text}\r\n `,
    () => '',
  ];
  return random.oneOf(ways)();
}
