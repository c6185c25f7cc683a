import { escapeText } from '../../state/postgres/text.ts';

/** As long as the longest key of a filter. */
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
  // Of lists only texts are asked for, of objects only whether they are there.
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
