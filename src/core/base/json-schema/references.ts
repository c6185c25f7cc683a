import { isObject, type JsonSchema } from './values.ts';

const REFERENCE = /^#\/schemas\/([\w.-]{1,200})$/;

/** The longest chain of references for one value. */
export const MAX_CHAIN = 50;

export function nameOfReference(reference: unknown): string | null {
  return typeof reference === 'string' ? (REFERENCE.exec(reference)?.[1] ?? null) : null;
}

/** Schemas that a value refers to, directly or through others, sorted by name. */
export function reachableSchemas(
  value: unknown,
  find: (name: string) => JsonSchema | undefined,
): Record<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  const waiting = [...referencedNames(value)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const schema = found.has(name) ? undefined : find(name);
    if (schema === undefined) continue;
    found.set(name, schema);
    waiting.push(...referencedNames(schema));
  }
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function referencedNames(value: unknown): Set<string> {
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const name = isObject(part) && Object.hasOwn(part, '$ref') ? nameOfReference(part.$ref) : null;
    if (name !== null) names.add(name);
    Object.values(part).forEach(visit);
  };
  visit(value);
  return names;
}

export interface EndlessReference {
  holder: JsonSchema;
  /** Names on the way to the reference, its target last. */
  chain: string[];
  /** Else the chain is longer than `MAX_CHAIN`. */
  isCircular: boolean;
}

/**
 * Finds references that are circular without a step into the value, and chains over `MAX_CHAIN`.
 * Continues as if each were removed. References in properties and items end with the value.
 */
export function* endlessReferences(schemas: ReadonlyMap<string, JsonSchema>): Generator<EndlessReference> {
  /** Longest chain from each visited schema, itself included. */
  const lengths = new Map<string, number>();
  const stepTo = (name: string) => ({ name, references: referencesInPlace(schemas.get(name)), length: 1 });
  for (const start of schemas.keys()) {
    const path = lengths.has(start) ? [] : [stepTo(start)];
    while (path.length > 0) {
      const step = path.at(-1)!;
      const holder = step.references.pop();
      if (holder === undefined) {
        lengths.set(step.name, step.length);
        path.pop();
        const before = path.at(-1);
        if (before) before.length = Math.max(before.length, 1 + step.length);
        continue;
      }
      const next = nameOfReference(holder.$ref) ?? '';
      const length = lengths.get(next);
      const isCircular = path.some(({ name }) => name === next);
      if (isCircular || path.length + (length ?? 1) > MAX_CHAIN) {
        yield { holder, chain: [...path.map(({ name }) => name), next], isCircular };
      } else if (length === undefined) path.push(stepTo(next));
      else step.length = Math.max(step.length, 1 + length);
    }
  }
}

/** Parts of a schema, itself included, with a `$ref` for the same value. */
function referencesInPlace(schema: unknown): JsonSchema[] {
  if (!isObject(schema)) return [];
  const parts = [schema.not, ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schema[keyword] ?? [])];
  return [...(Object.hasOwn(schema, '$ref') ? [schema] : []), ...parts.flatMap(referencesInPlace)];
}
