import { isObject } from '../../json-schema/values.ts';

/** An object of JSON. */
export type JsonObject = Record<string, unknown>;

/** The value as an object; an empty one for what is none. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as a list; an empty one for what is none. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A member that is the object's own: documents may call a schema `constructor`. */
export function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Text that says something, in no more than so many characters; undefined for anything else. */
export function textOf(value: unknown, maximum: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim().toWellFormed();
  if (text.length <= maximum) return text || undefined;
  return `${text.slice(0, maximum - 3).toWellFormed()}...`;
}

/** The name, or else the name with a number, so that it is not yet taken. It is taken then. */
export function untaken(name: string, taken: Set<string>, maximum: number): string {
  let unique = name.slice(0, maximum);
  for (let number = 2; taken.has(unique); number++) {
    const suffix = `-${number}`;
    unique = `${name.slice(0, maximum - suffix.length)}${suffix}`;
  }
  taken.add(unique);
  return unique;
}
