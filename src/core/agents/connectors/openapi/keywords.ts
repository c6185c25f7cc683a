import { problemOfArgument } from '../../../base/json-schema/schema.ts';
import type { JsonSchema } from '../../../base/json-schema/values.ts';
import { checkJson } from '../../../base/shared/json.ts';
import { asList, type JsonObject, own, shortText } from './values.ts';

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 500;
/** Characters of JSON of a default or an example. */
const MAX_SHOWN = 1_000;
const MAX_VALUE_DEPTH = 16;

/** Beyond 2^53: no number of a call gets there. */
export function isBeyondSafeIntegers(keyword: string, value: unknown): boolean {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return false;
  return keyword.endsWith('aximum') ? value > Number.MAX_SAFE_INTEGER : value < Number.MIN_SAFE_INTEGER;
}

/** Imported when the value is valid. Without one, more values pass. */
export const ASSERTIONS: readonly string[] = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties', 'enum', 'const'],
];

export function isValidArgument(keyword: string, value: unknown): boolean {
  return problemOfArgument(keyword, value) === null && isSound(value);
}

/** Validating keywords that definitions do not support. */
export const UNKNOWN_ASSERTIONS: readonly string[] = [
  ...['uniqueItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'],
  ...['unevaluatedProperties', 'dependencies', 'dependentRequired', 'dependentSchemas'],
  ...['if', 'then', 'else', '$dynamicRef', '$recursiveRef'],
];

function isSound(value: unknown): boolean {
  return value !== undefined && checkJson(value, MAX_VALUE_DEPTH).length === 0;
}

export function annotationsOf(schema: JsonObject): JsonObject {
  const examples = Object.hasOwn(schema, 'example') ? [schema.example] : asList(own(schema, 'examples'));
  const shown = examples.filter(isShort).slice(0, 3);
  const title = shortText(own(schema, 'title'), MAX_TITLE);
  const description = shortText(own(schema, 'description'), MAX_DESCRIPTION);
  const format = shortText(own(schema, 'format'), MAX_TITLE);
  const byDefault = own(schema, 'default');
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(format !== undefined && { format }),
    ...(isShort(byDefault) && { default: byDefault }),
    ...(shown.length > 0 && { examples: shown }),
    ...(schema.deprecated === true && { deprecated: true }),
    ...(schema.readOnly === true && { readOnly: true }),
    ...(schema.writeOnly === true && { writeOnly: true }),
  };
}

function isShort(value: unknown): boolean {
  return isSound(value) && JSON.stringify(value).length <= MAX_SHOWN;
}

/** OpenAPI 3.0 has boolean `exclusiveMinimum` and `exclusiveMaximum`. */
export function withNumericBounds(schema: JsonObject): JsonObject {
  const modern = { ...schema };
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof modern[exclusive] !== 'boolean') continue;
    if (modern[exclusive] && modern[bound] !== undefined) {
      modern[exclusive] = modern[bound];
      delete modern[bound];
    } else delete modern[exclusive];
  }
  return modern;
}

/** `nullable` of OpenAPI 3.0. In practice it applies to the whole schema, not only to `type`. */
export function orNull(schema: JsonSchema): JsonSchema {
  const whole = ['$ref', 'allOf', 'anyOf', 'not', 'const'].some((keyword) => Object.hasOwn(schema, keyword));
  if (whole) {
    const { title, description, ...rest } = schema;
    const words = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
    return { ...words, anyOf: [rest, { type: 'null' }] };
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const values = asList(schema.enum);
  return {
    ...schema,
    ...(types.length > 0 && { type: [...new Set([...types, 'null'])] }),
    ...(values.length > 0 && { enum: [...new Set([...values, null])] }),
  };
}
