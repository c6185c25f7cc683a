import type { Json } from '../../../src/http/docs/schemas.ts';
import { apiDocument, type Schema } from './operations.ts';
import type { Random } from './random.ts';

/** What a member of this name is usually given, so that requests get past the first look; undefined: nothing is known. */
export type Hint = (name: string) => unknown;

const MAX_DEPTH = 7;

/** A value that its schema allows, as far as a schema tells: some rules are in words only. */
export function sampleOf(schema: Schema, random: Random, hint: Hint, depth = 0): unknown {
  const { $ref, const: fixed, enum: choices, anyOf, oneOf, type } = schema as SchemaMembers;
  if ($ref) return sampleOf(apiDocument.components.schemas[$ref.replace(/^.*\//, '')]!, random, hint, depth);
  if (fixed !== undefined) return fixed;
  if (choices) return random.oneOf(choices);
  const variants = anyOf ?? oneOf;
  if (variants) return sampleOf(random.oneOf(variants), random, hint, depth);
  if (type === 'object') return objectOf(schema, random, hint, depth);
  if (type === 'array') return arrayOf(schema, random, hint, depth);
  if (type === 'string') return textOf(schema, random);
  if (type === 'number' || type === 'integer') return numberOf(schema, random);
  if (type === 'boolean') return random.chance(0.5);
  if (type === 'null') return null;
  return random.oneOf<unknown>(['text', 7, true, { free: 'form' }, ['one', 2]]);
}

interface SchemaMembers {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string;
}

function objectOf(schema: Schema, random: Random, hint: Hint, depth: number): unknown {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
    additionalProperties?: boolean | Schema;
  };
  const value: Json = {};
  for (const [name, member] of Object.entries(properties)) {
    if (!required.includes(name) && (depth > MAX_DEPTH || random.chance(0.6))) continue;
    const known = random.chance(0.75) ? hint(name) : undefined;
    value[name] = known ?? sampleOf(member, random, hint, depth + 1);
  }
  if (typeof additionalProperties === 'object' && random.chance(0.5)) {
    for (const name of ['amount', 'plan']) value[name] = sampleOf(additionalProperties, random, hint, depth + 1);
  }
  return value;
}

function arrayOf(schema: Schema, random: Random, hint: Hint, depth: number): unknown[] {
  const { items = {}, minItems = 0, maxItems = 3 } = schema as { items?: Schema; minItems?: number; maxItems?: number };
  const length = Math.max(minItems, random.below(Math.min(maxItems, 3) + 1));
  return Array.from({ length }, () => sampleOf(items, random, hint, depth + 1));
}

const WORDS = ['order', 'refund', 'Crédito', 'a b', 'x', '数据', 'emoji 🌍', 'O\'Neil "quoted"', '%', '<b>bold</b>'];

const OF_FORMAT: Record<string, string[]> = {
  uuid: ['019cae1c-a3a5-7b54-8cda-b54cda26b54c'],
  'date-time': ['2026-03-02T09:55:44.000Z', '2025-12-31T23:59:59Z'],
  email: ['someone@example.com'],
  uri: ['https://example.com/a.png'],
};

function textOf(schema: Schema, random: Random): string {
  const { format, pattern, minLength = 0, maxLength = 40 } = schema as TextSchema;
  const formatted = OF_FORMAT[format ?? ''];
  if (formatted) return random.oneOf(formatted);
  if (pattern !== undefined) return random.oneOf(['alpha', 'b-2', '+55 11 91234-5678', 'c_3']);
  const text = random.oneOf(WORDS);
  return (text.length < minLength ? text.padEnd(minLength, ' of it') : text).slice(0, maxLength);
}

interface TextSchema {
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
}

function numberOf(schema: Schema, random: Random): number {
  const { type, minimum, maximum, exclusiveMinimum } = schema as {
    type: string;
    minimum?: number;
    maximum?: number;
    exclusiveMinimum?: number;
  };
  const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  const most = Math.min(maximum ?? least + 100, 1e15);
  if (random.chance(0.1)) return random.oneOf([least, most]);
  const within = least + Math.min(most - least, random.below(50));
  return type === 'integer' ? Math.ceil(within) : random.chance(0.3) ? Math.min(most, within + 0.5) : within;
}
