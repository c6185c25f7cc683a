import { visitSubschemas } from '../../base/json-schema/schema.ts';
import { isObject, type JsonSchema } from '../../base/json-schema/values.ts';
import { invalid } from '../../base/shared/errors.ts';
import { asList, asObject, own, uniqueName } from './openapi/values.ts';

/** Model vendors refuse a request in which any tool has another property name. */
const ACCEPTED = /^[a-zA-Z0-9_.-]{1,64}$/;
const MAX_NAME = 64;
const MAX_SHOWN = 200;
/** Against data that fits many alternatives in many places. */
const MAX_STEPS = 1_000_000;

/** Renames properties, in place, to names that vendors accept. The original names are by these. */
export function renameProperties(schema: JsonSchema): ReadonlyMap<string, string> {
  const parts = [schema, ...Object.values(asObject(schema.$defs)).filter(isObject)];
  const names = new Set<string>();
  for (const part of parts) {
    visitSubschemas(part, ({ properties, required }) => {
      for (const name of [...Object.keys(asObject(properties)), ...asList(required)]) names.add(String(name));
    });
  }
  const used = new Set([...names].filter((name) => ACCEPTED.test(name)));
  const accepted = new Map(
    [...names].filter((name) => !used.has(name)).map((name) => [name, uniqueName(plain(name), used, MAX_NAME, '_')]),
  );
  if (accepted.size === 0) return accepted;
  for (const part of parts) visitSubschemas(part, (one) => rename(one, accepted));
  return new Map([...accepted].map(([name, shown]) => [shown, name]));
}

function plain(name: string): string {
  return name.replace(/[^a-zA-Z0-9_.-]+/g, '_').replace(/^_+|_+$/g, '') || 'parameter';
}

function rename(schema: JsonSchema, accepted: ReadonlyMap<string, string>): void {
  if (Array.isArray(schema.required)) schema.required = schema.required.map((name) => accepted.get(name) ?? name);
  if (!isObject(schema.properties)) return;
  const entries = Object.entries(schema.properties).map(([name, one]) => {
    const shown = accepted.get(name);
    if (shown === undefined) return [name, one];
    const description = [`Sent as ${JSON.stringify(name.slice(0, MAX_SHOWN))}.`, asObject(one).description];
    return [shown, isObject(one) ? { ...one, description: description.filter(Boolean).join(' ') } : one];
  });
  schema.properties = Object.fromEntries(entries);
}

/**
 * The data with its original names, where the schema renamed them: an open object may have members
 * with such a name. Throws `invalid`.
 */
export function withOriginalNames<Data>(data: Data, schema: JsonSchema, originals: ReadonlyMap<string, string>): Data {
  if (originals.size === 0) return data;
  const definitions = asObject(schema.$defs);
  let steps = 0;
  const together = (schemas: unknown[]): JsonSchema[] => {
    const found = new Set<JsonSchema>();
    const add = (one: unknown): void => {
      if (++steps > MAX_STEPS) throw invalid('data: is too much for a tool; call it over REST');
      if (!isObject(one) || found.has(one)) return;
      found.add(one);
      if (typeof one.$ref === 'string') add(own(definitions, one.$ref.replace('#/$defs/', '')));
      for (const keyword of ['allOf', 'anyOf', 'oneOf']) asList(one[keyword]).forEach(add);
    };
    schemas.forEach(add);
    return [...found];
  };
  const restored = (value: unknown, schemas: JsonSchema[]): unknown => {
    if (typeof value !== 'object' || value === null || schemas.length === 0) return value;
    if (Array.isArray(value)) {
      const itemsAt = (index: number) => schemas.flatMap((one) => [one.items, asList(one.prefixItems)[index]]);
      return value.map((item, index) => restored(item, together(itemsAt(index))));
    }
    const entries = Object.entries(value).map(([name, member]) => {
      const declared = schemas.flatMap(({ properties }) => own(asObject(properties), name) ?? []);
      const original = declared.length > 0 ? originals.get(name) : undefined;
      const isGiven = original === undefined || Object.hasOwn(value, original);
      const others = () =>
        schemas.flatMap((one) => [one.additionalProperties, ...Object.values(asObject(one.patternProperties))]);
      return [isGiven ? name : original, restored(member, together(declared.length > 0 ? declared : others()))];
    });
    return Object.fromEntries(entries);
  };
  return restored(data, together([schema])) as Data;
}
