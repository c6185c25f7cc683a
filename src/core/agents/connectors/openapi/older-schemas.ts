import type { JsonSchema } from '../../../base/json-schema/values.ts';
import { type JsonObject, listOf } from './values.ts';

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
  const values = listOf(schema.enum);
  return {
    ...schema,
    ...(types.length > 0 && { type: [...new Set([...types, 'null'])] }),
    ...(values.length > 0 && { enum: [...new Set([...values, null])] }),
  };
}
