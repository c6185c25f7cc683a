import { z } from 'zod';
import { checkJson } from '../shared/json.ts';
import { suggestion } from '../shared/names.ts';
import { nameOfReference } from './references.ts';
import { isObject, type JsonSchema, type Subschema } from './values.ts';

export interface KeywordArguments {
  $ref: string;
  allOf: Subschema[];
  anyOf: Subschema[];
  oneOf: Subschema[];
  not: Subschema;
  type: SchemaType | SchemaType[];
  enum: unknown[];
  const: unknown;
  properties: Record<string, Subschema>;
  patternProperties: Record<string, Subschema>;
  additionalProperties: Subschema;
  propertyNames: Subschema;
  required: string[];
  minProperties: number;
  maxProperties: number;
  prefixItems: Subschema[];
  items: Subschema;
  minItems: number;
  maxItems: number;
  minimum: number;
  maximum: number;
  exclusiveMinimum: number;
  exclusiveMaximum: number;
  multipleOf: number;
  minLength: number;
  maxLength: number;
  pattern: string;
}

export const SCHEMA_TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'] as const;
export type SchemaType = (typeof SCHEMA_TYPES)[number];

const MAX_DEPTH = 64;
const MAX_PROBLEMS = 20;

/** The problem of an argument, or null. Subschemas are checked separately. */
type Shape = (argument: unknown) => string | null;

const anything: Shape = () => null;
const shaped = (isRight: (argument: unknown) => boolean, message: string): Shape => {
  return (argument) => (isRight(argument) ? null : message);
};
const text = shaped((argument) => typeof argument === 'string', 'must be a string');
const flag = shaped((argument) => typeof argument === 'boolean', 'must be true or false');
const list = shaped(Array.isArray, 'must be an array');
const number = shaped((argument) => typeof argument === 'number', 'must be a number');
const count = shaped((argument) => Number.isInteger(argument) && (argument as number) >= 0, 'must be 0 or more');
const schema = shaped(isSubschema, 'must be a JSON Schema: an object, true or false');
const schemas = shaped(
  (argument) => Array.isArray(argument) && argument.length > 0 && argument.every(isSubschema),
  'must be an array of at least one JSON Schema',
);
const schemaByName = shaped(
  (argument) => isObject(argument) && Object.values(argument).every(isSubschema),
  'must be an object of JSON Schemas',
);

const ENFORCED: Record<keyof KeywordArguments, Shape> = {
  $ref: shaped(
    (argument) => nameOfReference(argument) !== null,
    "must be #/schemas/NAME, one of the definition's schemas",
  ),
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  not: schema,
  type: shaped(isType, `must be one or several of ${SCHEMA_TYPES.join(', ')}`),
  enum: shaped((argument) => Array.isArray(argument) && argument.length > 0, 'must be an array of at least one value'),
  const: anything,
  properties: schemaByName,
  patternProperties: schemaByName,
  additionalProperties: schema,
  propertyNames: schema,
  required: shaped(
    (argument) => Array.isArray(argument) && argument.every((name) => typeof name === 'string'),
    'must be an array of names',
  ),
  minProperties: count,
  maxProperties: count,
  prefixItems: schemas,
  items: schema,
  minItems: count,
  maxItems: count,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: shaped((argument) => typeof argument === 'number' && argument > 0, 'must be a number above 0'),
  minLength: count,
  maxLength: count,
  pattern: text,
};

/** Not enforced, not even `format`: implementations disagree about it. */
const ANNOTATIONS: Record<string, Shape> = {
  title: text,
  description: text,
  $comment: text,
  format: text,
  default: anything,
  examples: list,
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
};

const SHAPES = new Map<string, Shape>(Object.entries({ ...ENFORCED, ...ANNOTATIONS }));

/** Too expensive, or without meaning here. */
const UNSUPPORTED = new Set([
  ...['uniqueItems', 'contains', 'minContains', 'maxContains', 'if', 'then', 'else', '$schema', '$id', '$anchor'],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties'],
]);

const HINTS = new Map([
  ['nullable', '; write "type": ["string", "null"]'],
  ['example', '; write "examples": [...]'],
  ['$defs', "; put its schemas into the definition's schemas"],
  ['definitions', "; put its schemas into the definition's schemas"],
]);

export const parameterSchema = z.custom<JsonSchema>().superRefine((value: unknown, context) => {
  for (const { path, message } of problemsOfSchema(value)) {
    context.addIssue({ code: 'custom', path, message, continue: false });
  }
});

function problemsOfSchema(value: unknown): SchemaProblem[] {
  if (!isObject(value)) return [{ path: [], message: 'must be a JSON Schema: an object' }];
  const unsound = checkJson(value, MAX_DEPTH);
  if (unsound.length > 0) return unsound;
  const problems: SchemaProblem[] = [];
  visitSubschemas(value, (one, path) => {
    if (problems.length < MAX_PROBLEMS) problems.push(...problemsOfKeywords(one, path));
  });
  return problems.slice(0, MAX_PROBLEMS);
}

export interface SchemaProblem {
  path: PropertyKey[];
  message: string;
}

function problemsOfKeywords(one: JsonSchema, path: PropertyKey[]): SchemaProblem[] {
  return Object.entries(one).flatMap(([keyword, argument]) => {
    const shape = SHAPES.get(keyword);
    const message = shape === undefined ? unknownKeyword(keyword) : shape(argument);
    return message === null ? [] : [{ path: [...path, keyword], message }];
  });
}

/** Null for a valid argument, and for a keyword that is not understood. Skips subschemas. */
export function problemOfArgument(keyword: string, argument: unknown): string | null {
  return SHAPES.get(keyword)?.(argument) ?? null;
}

function unknownKeyword(keyword: string): string {
  const known = UNSUPPORTED.has(keyword) ? [] : [...SHAPES.keys()];
  return `is not a keyword that is understood here${HINTS.get(keyword) ?? suggestion(keyword, known, '; leave it out')}`;
}

/** Does not follow references. Skips malformed subschemas. */
export function visitSubschemas(
  one: JsonSchema,
  visit: (one: JsonSchema, path: PropertyKey[]) => void,
  path: PropertyKey[] = [],
): void {
  visit(one, path);
  for (const [keyword, argument] of Object.entries(one)) {
    const shape = SHAPES.get(keyword);
    const within = shape === schema ? { '': argument } : shape === schemas || shape === schemaByName ? argument : null;
    for (const [name, subschema] of Object.entries(isObject(within) || Array.isArray(within) ? within : {})) {
      if (!isObject(subschema)) continue;
      const step = shape === schema ? [] : [shape === schemas ? Number(name) : name];
      visitSubschemas(subschema, visit, [...path, keyword, ...step]);
    }
  }
}

function isSubschema(argument: unknown): boolean {
  return typeof argument === 'boolean' || isObject(argument);
}

function isType(argument: unknown): boolean {
  const types: unknown[] = Array.isArray(argument) ? argument : [argument];
  const isOneEach = types.length > 0 && new Set(types).size === types.length;
  return isOneEach && types.every((type) => (SCHEMA_TYPES as readonly unknown[]).includes(type));
}
