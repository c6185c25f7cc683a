import type { JsonSchema } from '../../json-schema/schema.ts';
import type { Notes } from './notes.ts';
import { isObject, listOf, own } from './values.ts';

const MAX_IN_A_ROW = 50;
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
 * say nothing, and would never be done with; nor are more than fifty in a row followed. Those by way of a property or an
 * item stay: a value ends.
 */
export function cutEndlessReferences(schemas: ReadonlyMap<string, JsonSchema>, notes: Notes): void {
  /** How many schemas in a row a schema leads to, itself included; of those that are done with. */
  const lengths = new Map<string, number>();
  for (const start of schemas.keys()) {
    const way = lengths.has(start) ? [] : [stepTo(start, schemas)];
    while (way.length > 0) {
      const step = way.at(-1)!;
      const holder = step.references.pop();
      if (holder === undefined) {
        lengths.set(step.name, step.length);
        way.pop();
        const before = way.at(-1);
        if (before) before.length = Math.max(before.length, 1 + step.length);
        continue;
      }
      const [, next = ''] = REFERENCE.exec(String(holder.$ref)) ?? [];
      const length = lengths.get(next);
      if (way.some(({ name }) => name === next) || way.length + (length ?? 1) > MAX_IN_A_ROW) {
        delete holder.$ref;
        notes.add(`#/components/schemas/${step.name}`, 'refers to itself without end; that part of it is left out');
      } else if (length === undefined) way.push(stepTo(next, schemas));
      else step.length = Math.max(step.length, 1 + length);
    }
  }
}

function stepTo(name: string, schemas: ReadonlyMap<string, JsonSchema>) {
  return { name, references: referencesInPlace(schemas.get(name)), length: 1 };
}

/** The parts of a schema that refer to another of which the same value must be. */
function referencesInPlace(schema: unknown): JsonSchema[] {
  if (!isObject(schema)) return [];
  const parts = [schema.not, ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(schema[name]))];
  return [...(Object.hasOwn(schema, '$ref') ? [schema] : []), ...parts.flatMap(referencesInPlace)];
}
