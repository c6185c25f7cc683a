import { isObject } from '../../json-schema/values.ts';
import { isReference, type OpenApiDocument } from './document.ts';
import { type JsonObject, listOf, objectOf, own } from './values.ts';

const MAX_VALUES = 500;
const MAX_TEXT = 200;
const MAX_ITEMS = 3;

const BY_FORMAT: Record<string, string> = {
  'date-time': '2024-01-01T00:00:00Z',
  date: '2024-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'user@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
  url: 'https://example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'AA==',
};

/** A value such as a schema describes, made of what it says of examples and else of its types; undefined where it says nothing. */
export function composed(document: OpenApiDocument, schema: unknown, maxDepth: number): unknown {
  return new Composer(document, maxDepth).value(schema, 1);
}

class Composer {
  private readonly document: OpenApiDocument;
  private readonly maxDepth: number;
  private readonly open = new Set<unknown>();
  private values = 0;

  constructor(document: OpenApiDocument, maxDepth: number) {
    this.document = document;
    this.maxDepth = maxDepth;
  }

  value(given: unknown, depth: number): unknown {
    const schema = isReference(given) ? this.document.resolve(given, '#').value : given;
    if (!isObject(schema) || depth > this.maxDepth || this.open.has(schema) || ++this.values > MAX_VALUES) {
      return undefined;
    }
    const said = saidBy(schema);
    if (said !== undefined) return said;
    this.open.add(schema);
    const made = this.made(schema, depth);
    this.open.delete(schema);
    return made;
  }

  private made(schema: JsonObject, depth: number): unknown {
    if (Array.isArray(schema.allOf)) {
      const parts = [...schema.allOf, { ...schema, allOf: undefined }].map((part) => this.value(part, depth));
      const objects = parts.filter(isObject);
      if (objects.length === 0) return parts.find((part) => part !== undefined);
      return Object.fromEntries(objects.flatMap((object) => Object.entries(object)));
    }
    for (const choice of [...listOf(schema.oneOf), ...listOf(schema.anyOf)]) {
      const value = this.value(choice, depth);
      if (value !== undefined && value !== null) return this.withMembers(value, schema, depth);
    }
    const type = [schema.type].flat().find((one) => one !== 'null') ?? schema.type;
    if (type === 'object' || isObject(schema.properties)) return this.members(schema, depth);
    if (type === 'array' || schema.items !== undefined) return this.items(schema, depth);
    return plainValue(String(type), schema);
  }

  /** Of an object of several kinds, the members that all kinds have. */
  private withMembers(value: unknown, schema: JsonObject, depth: number): unknown {
    return isObject(value) && isObject(schema.properties) ? { ...this.members(schema, depth), ...value } : value;
  }

  private members(schema: JsonObject, depth: number): JsonObject {
    const members = Object.entries(objectOf(schema.properties)).flatMap(([name, one]) => {
      if (isObject(one) && one.writeOnly === true) return [];
      const value = this.value(one, depth + 1);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(members);
  }

  private items(schema: JsonObject, depth: number): unknown[] {
    const count = Math.min(Math.max(Number(schema.minItems) || 1, 1), MAX_ITEMS);
    const item = this.value(schema.items, depth + 1);
    return item === undefined ? [] : Array.from({ length: count }, () => item);
  }
}

/** What a schema itself shows of its values. */
function saidBy(schema: JsonObject): unknown {
  for (const one of [
    own(schema, 'example'),
    listOf(schema.examples)[0],
    own(schema, 'default'),
    own(schema, 'const'),
  ]) {
    if (one !== undefined && one !== null) return one;
  }
  return listOf(schema.enum).find((one) => one !== null);
}

function plainValue(type: string, schema: JsonObject): unknown {
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type === 'string') return own(BY_FORMAT, String(schema.format)) ?? textFor(schema);
  if (type === 'integer' || type === 'number') return numberFor(schema);
  return undefined;
}

function textFor({ minLength, maxLength }: JsonObject): string {
  const text = 'string'.padEnd(Math.min(Number(minLength) || 0, MAX_TEXT), '-');
  return text.slice(0, typeof maxLength === 'number' ? Math.max(maxLength, 0) : undefined);
}

function numberFor({ minimum, maximum, exclusiveMinimum, multipleOf }: JsonObject): number {
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + (typeof multipleOf === 'number' ? multipleOf : 1);
  if (typeof minimum === 'number') return minimum + (exclusiveMinimum === true ? 1 : 0);
  return typeof maximum === 'number' ? Math.min(maximum, 0) : 0;
}
