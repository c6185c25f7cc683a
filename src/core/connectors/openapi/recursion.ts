import type { JsonSchema } from '../json-schema.ts';
import type { Notes } from './notes.ts';
import { isObject, listOf, own } from './values.ts';

const REFERENCE = /^#\/schemas\/(.+)$/;

/** The names of the schemas that a value refers to, anywhere in it. */
export function referredTo(value: unknown): Set<string> {
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    if (!isObject(part)) return;
    const [, name] = REFERENCE.exec(String(own(part, '$ref'))) ?? [];
    if (name !== undefined) names.add(name);
    Object.values(part).forEach(visit);
  };
  visit(value);
  return names;
}

/** Those that the value needs, and those that these need in turn; in the order of their names. */
export function reachable(value: unknown, schemas: ReadonlyMap<string, JsonSchema>): Record<string, JsonSchema> {
  const found = new Set<string>();
  const waiting = [...referredTo(value)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const schema = schemas.get(name);
    if (found.has(name) || schema === undefined) continue;
    found.add(name);
    waiting.push(...referredTo(schema));
  }
  return Object.fromEntries([...found].sort().map((name) => [name, schemas.get(name)!]));
}

/**
 * Cuts the references by which a schema is, without a step into the value, part of itself: `A` as all of `A` and more. They
 * say nothing, and would never be done with. Those by way of a property or an item stay: a value ends.
 */
export function cutEndlessReferences(schemas: ReadonlyMap<string, JsonSchema>, notes: Notes): void {
  const done = new Set<string>();
  for (const start of schemas.keys()) {
    const way = [{ name: start, references: referencesInPlace(schemas.get(start)) }];
    const onWay = new Set([start]);
    while (way.length > 0) {
      const { name, references } = way.at(-1)!;
      const holder = references.pop();
      if (holder === undefined) {
        done.add(name);
        onWay.delete(name);
        way.pop();
        continue;
      }
      const [, next = ''] = REFERENCE.exec(String(holder.$ref)) ?? [];
      if (onWay.has(next)) {
        delete holder.$ref;
        notes.add(`#/components/schemas/${name}`, 'refers to itself without end; that part of it is left out');
      } else if (!done.has(next)) {
        onWay.add(next);
        way.push({ name: next, references: referencesInPlace(schemas.get(next)) });
      }
    }
  }
}

/** The parts of a schema that refer to another of which the same value must be. */
function referencesInPlace(schema: unknown): JsonSchema[] {
  if (!isObject(schema)) return [];
  const parts = [schema.not, ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(schema[name]))];
  return [...(Object.hasOwn(schema, '$ref') ? [schema] : []), ...parts.flatMap(referencesInPlace)];
}
