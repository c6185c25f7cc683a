import { isObject } from '../../../base/json-schema/values.ts';

export type JsonObject = Record<string, unknown>;

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** For messages. */
export function shownJson(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 100);
}

/** Documents may name a schema `constructor`. */
export function own<Value>(object: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Trimmed, at most `maximum` characters; undefined for blank text or another value. */
export function shortText(value: unknown, maximum: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim().toWellFormed();
  if (text.length <= maximum) return text || undefined;
  return `${text.slice(0, maximum - 3).toWellFormed()}...`;
}

/** Adds the name to `used`, with a number on collision. */
export function uniqueName(name: string, used: Set<string>, maximum: number, separator = '-'): string {
  let unique = name.slice(0, maximum);
  for (let number = 2; used.has(unique); number++) {
    const suffix = `${separator}${number}`;
    unique = `${name.slice(0, maximum - suffix.length)}${suffix}`;
  }
  used.add(unique);
  return unique;
}
