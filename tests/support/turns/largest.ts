import { routes } from '../../../src/http/app.ts';
import { operationIdOf } from '../../../src/http/docs/openapi.ts';
import type { Route } from '../../../src/http/route.ts';
import { apiDocument, type Operation, type Schema } from '../api-fuzz/operations.ts';
import type { Hint } from '../api-fuzz/values.ts';

const MAX_DEPTH = 6;

interface Room {
  bytes: number;
}

interface Members extends Schema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
}

/** The route behind an operation. */
export function routeOf({ id }: Operation): Route | undefined {
  return routes.find((route) => operationIdOf(route) === id);
}

/** A value of the schema that is as large as the room and its own limits allow. */
export function grown(schema: Schema, room: Room, hint: Hint, depth = 0): unknown {
  const { $ref, const: fixed, enum: choices, anyOf, oneOf, type, ...members } = schema as Members;
  if ($ref) return grown(apiDocument.components.schemas[$ref.replace(/^.*\//, '')]!, room, hint, depth);
  if (fixed !== undefined) return fixed;
  if (choices) return choices[0];
  const variants = anyOf ?? oneOf;
  if (variants) {
    const [largest] = variants.toSorted((one, other) => sizeOf(other) - sizeOf(one));
    return grown(largest!, room, hint, depth);
  }
  switch (type) {
    case 'object':
      return grownObject(members, room, hint, depth);
    case 'array':
      return grownArray(members, room, hint, depth);
    case 'string':
      return grownText(members, room);
    case 'number':
    case 'integer':
      room.bytes -= 2;
      return members.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return grownObject({ additionalProperties: true }, room, hint, depth);
  }
}

function sizeOf({ type, $ref }: Members): number {
  if ($ref) return 4;
  return ['boolean', 'number', 'integer', 'string', 'array', 'object'].indexOf(type ?? '');
}

function grownObject({ properties = {}, additionalProperties }: Members, room: Room, hint: Hint, depth: number) {
  const value: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(properties)) {
    room.bytes -= name.length + 4;
    value[name] = hint(name) ?? (depth > MAX_DEPTH ? undefined : grown(member, room, hint, depth + 1));
  }
  if (additionalProperties === undefined || additionalProperties === false) return value;
  // Many small members cost more than one long text.
  for (let index = 0; index < 1_000 && room.bytes > 0; index += 1) {
    room.bytes -= 14;
    value[`k${index}`] = index;
  }
  return value;
}

function grownArray({ items = {}, maxItems = 1_000_000 }: Members, room: Room, hint: Hint, depth: number) {
  const value: unknown[] = [];
  while (value.length < maxItems && (value.length === 0 || room.bytes > 0)) {
    // Each item has a part of the room, so that there are many.
    const part = { bytes: Math.min(room.bytes, 2_000) };
    room.bytes -= part.bytes + 1;
    value.push(grown(items, part, hint, depth + 1));
    room.bytes += Math.max(0, part.bytes);
  }
  return value;
}

const OF_FORMAT: Record<string, string> = {
  uuid: '019cae1c-a3a5-7b54-8cda-b54cda26b54c',
  'date-time': '2026-03-02T09:55:44.000Z',
  email: 'someone@example.com',
  uri: 'https://example.com/a.png',
};

function grownText({ format, pattern, maxLength = 100_000 }: Members, room: Room): string {
  if (OF_FORMAT[format ?? '']) return OF_FORMAT[format!]!;
  if (pattern !== undefined) return 'alpha';
  const length = Math.max(10, Math.min(maxLength, room.bytes));
  room.bytes -= length;
  return 'word of a text '.repeat(Math.ceil(length / 15)).slice(0, length);
}

/** JSON of so many bytes with members that no schema knows. */
export function unknownMembers(bytes: number): Buffer {
  const members: string[] = [];
  for (let size = 0, index = 0; size < bytes - 40; index += 1) {
    members.push(`"member${index}":${index}`);
    size += members.at(-1)!.length + 1;
  }
  return Buffer.from(`{${members.join(',')}}`);
}
