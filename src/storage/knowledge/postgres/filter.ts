import type { MetadataTest } from '../../../core/knowledge/filter.ts';
import { escapeText } from '../../state/postgres/pool.ts';
import type { Values } from './values.ts';

const COMPARED = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/**
 * A condition on `knowledge_chunks c` and `knowledge_documents d`, whose metadata `testedMetadata`
 * has made. A missing key passes `notIn` and `exists: false` only.
 */
export function postgresConditionOf(
  tests: readonly MetadataTest[],
  values: Values,
  chunk = 'c',
  document = 'd',
): string {
  return (
    tests
      .map((test) => {
        const key = values.text(test.key);
        return `(${onKey(test, values, `coalesce(${chunk}.tested -> ${key}, ${document}.tested -> ${key})`)})`;
      })
      .join(' AND ') || 'true'
  );
}

/** In the chunk's metadata, then in its document's. */
function onKey(test: MetadataTest, values: Values, own: string): string {
  switch (test.test) {
    case 'exists':
      return `${own} IS ${test.value ? 'NOT NULL' : 'NULL'}`;
    case 'in':
      return isIn(own, test.values, values);
    case 'notIn':
      return `(${isIn(own, test.values, values)}) IS NOT TRUE`;
    case 'contains':
      return `CASE jsonb_typeof(${own}) WHEN 'array' THEN jsonb_exists(${own}, ${values.text(test.value)})
        ELSE strpos(coalesce(${own} ->> 'lower', ${own} ->> 'text'), ${values.text(test.value.toLowerCase())}) > 0 END`;
    default:
      return typeof test.value === 'number'
        ? `CASE jsonb_typeof(${own}) WHEN 'number' THEN ${own} ELSE ${own} -> 'number' END
            ${COMPARED[test.test]} ${values.json(test.value)}`
        : `(${own} ->> 'text') COLLATE "C" ${COMPARED[test.test]} ${values.text(test.value)}`;
  }
}

/** Types matter: the text "1" is not the number 1, nor is true. */
function isIn(own: string, wanted: readonly (string | number | boolean)[], values: Values): string {
  const texts = wanted.filter((one) => typeof one === 'string');
  const others = wanted.filter((one) => typeof one !== 'string').map((one) => JSON.stringify(one));
  const conditions = [
    ...(texts.length > 0 ? [`${own} ->> 'text' = ANY (${values.list('text', texts)})`] : []),
    ...(others.length > 0 ? [`${own} = ANY (${values.list('jsonb', others)})`] : []),
  ];
  return conditions.join(' OR ');
}

/** The length of the longest key of a filter. */
const MAX_KEY = 200;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Metadata as filters ask for it: each key with its value, and members of objects by their dotted
 * path where no key has that name. PostgreSQL would read JSON otherwise: it refuses U+0000, its
 * casts overflow, and its lower case depends on the database. So texts are `{"text", "lower",
 * "number"}`, made here.
 */
export function testedMetadata(metadata: Record<string, unknown> | null): string | null {
  if (metadata === null) return null;
  const entries = new Map<string, unknown>();
  addMembers(entries, metadata, '');
  for (const [key, value] of Object.entries(metadata)) add(entries, key, value);
  return entries.size === 0 ? null : JSON.stringify(Object.fromEntries(entries));
}

/** Members of objects within, by their path. Keys with dots are not reached by a path. */
function addMembers(entries: Map<string, unknown>, object: object, path: string): void {
  for (const [key, value] of Object.entries(object)) {
    if (key.includes('.')) continue;
    const name = path + key;
    if (name.length > MAX_KEY) continue;
    if (path !== '') add(entries, name, value);
    if (isObject(value)) addMembers(entries, value, `${name}.`);
  }
}

function add(entries: Map<string, unknown>, key: string, value: unknown): void {
  if (value === null || value === undefined || key.length > MAX_KEY) return;
  entries.set(encoded(key), testedValue(value));
}

function testedValue(value: unknown): unknown {
  if (typeof value === 'string') return testedText(value);
  // Filters ask lists only for texts, and objects only whether they are there.
  if (Array.isArray(value)) return value.filter((member) => typeof member === 'string').map(encoded);
  return isObject(value) ? {} : value;
}

function testedText(text: string): object {
  const lower = text.toLowerCase();
  const number = NUMBER.test(text) ? Number(text) : null;
  return {
    text: encoded(text),
    ...(lower !== text && { lower: encoded(lower) }),
    ...(number !== null && { number: finite(number) }),
  };
}

/** JSON has no infinity: more than any other number. */
function finite(number: number): number {
  return Math.min(Math.max(number, -Number.MAX_VALUE), Number.MAX_VALUE);
}

function encoded(text: string): string {
  return escapeText(text.toWellFormed());
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
