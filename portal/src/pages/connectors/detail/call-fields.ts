import { isObject } from '../../../question/state/text.ts';
import type { Definition, Resource } from '../types.ts';

export const LOCATIONS = ['path', 'query', 'headers', 'body'] as const;
type Location = (typeof LOCATIONS)[number];
type JsonSchema = Record<string, unknown>;

/** A field of a call, made of a parameter's schema. */
export interface CallField {
  location: Location;
  /** Empty: the whole body, which has no named members. */
  name: string;
  kind: 'text' | 'number' | 'boolean' | 'choice' | 'json';
  isRequired: boolean;
  description: string;
  /** The values of a choice. */
  choices: unknown[];
}

/** The texts of the fields, by `keyOf`. */
export type CallTexts = Record<string, string>;

export const keyOf = ({ location, name }: Pick<CallField, 'location' | 'name'>) =>
  name === '' ? location : `${location}.${name}`;

/** The parameters of a resource as fields: those of the path first. */
export function callFields(definition: Pick<Definition, 'schemas'>, resource: Resource): CallField[] {
  const schemas = definition.schemas ?? {};
  return LOCATIONS.flatMap((location) => {
    const given = resource.parameters[location];
    if (location === 'path') return pathFields(resource, resolved(given, schemas), schemas);
    if (given === undefined) return location === 'body' && takesBody(resource) ? [wholeBody(false)] : [];
    const schema = resolved(given, schemas);
    if (isObject(schema.properties)) return namedFields(location, schema, schemas);
    return location === 'body' ? [wholeBody(true)] : [];
  });
}

const takesBody = ({ method }: Resource) => method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';

function wholeBody(isRequired: boolean): CallField {
  return { location: 'body', name: '', kind: 'json', isRequired, description: '', choices: [] };
}

function pathFields({ path }: Resource, schema: JsonSchema, schemas: Record<string, unknown>): CallField[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  return names.map((name) => ({ ...fieldOf('path', name, properties[name], schemas), isRequired: true }));
}

function namedFields(location: Location, schema: JsonSchema, schemas: Record<string, unknown>): CallField[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(schema.properties as object).map(([name, property]) => ({
    ...fieldOf(location, name, property, schemas),
    isRequired: required.includes(name),
  }));
  return fields.sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

function fieldOf(location: Location, name: string, given: unknown, schemas: Record<string, unknown>): CallField {
  const schema = resolved(given, schemas);
  const choices = Array.isArray(schema.enum) ? schema.enum : [];
  const description = typeof schema.description === 'string' ? schema.description : '';
  return { location, name, kind: kindOf(schema, choices), isRequired: false, description, choices };
}

function kindOf({ type }: JsonSchema, choices: readonly unknown[]): CallField['kind'] {
  if (choices.length > 0) return 'choice';
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'string' || type === undefined ? 'text' : 'json';
}

/** The schema that a chain of references such as `#/schemas/Pet` leads to. */
function resolved(schema: unknown, schemas: Record<string, unknown>): JsonSchema {
  const seen = new Set<unknown>();
  let found = schema;
  while (isObject(found) && typeof found.$ref === 'string' && !seen.has(found)) {
    seen.add(found);
    found = schemas[found.$ref.replace('#/schemas/', '')];
  }
  return isObject(found) ? found : {};
}

/** The structured data of a call. Empty fields are left out; what is no JSON or number is sent as text, for the server to refuse. */
export function dataOf(fields: readonly CallField[], texts: CallTexts): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const field of fields) {
    const text = texts[keyOf(field)] ?? '';
    if (text === '') continue;
    const value = valueOfText(field, text);
    if (field.name === '') data.body = value;
    else data[field.location] = { ...(data[field.location] as object), [field.name]: value };
  }
  return data;
}

function valueOfText({ kind, choices }: CallField, text: string): unknown {
  if (kind === 'choice') return choices.find((choice) => String(choice) === text) ?? text;
  if (kind === 'text') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Arguments for a call of a tool: an example of each that is required. */
export function exampleArguments(schema: unknown): Record<string, unknown> {
  const { properties, required } = resolved(schema, {});
  if (!isObject(properties)) return {};
  const needed = Array.isArray(required) ? required : [];
  const named = Object.entries(properties).filter(([name]) => needed.includes(name));
  return Object.fromEntries(named.map(([name, property]) => [name, exampleValue(property)]));
}

function exampleValue(given: unknown): unknown {
  const schema = resolved(given, {});
  if ('example' in schema) return schema.example;
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'text';
  }
}
