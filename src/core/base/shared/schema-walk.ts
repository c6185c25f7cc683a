import { z } from 'zod';

/** The schemas at a path of the input: several where a union leads there, none in free JSON. */
export function schemasAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType[] {
  return path.reduce<z.ZodType[]>((schemas, key) => schemas.flatMap((one) => schemasOf(one, key)), [schema]);
}

/** The object schemas that a value may fit: one, or those of a union. */
export function objectsIn(schema: z.ZodType): z.ZodObject[] {
  return alternatives(schema).filter((one) => one instanceof z.ZodObject);
}

/**
 * Schemas of the member that the last key of the path names; empty for entries of records and items
 * of arrays.
 */
export function membersAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType[] {
  const key = path.at(-1);
  if (key === undefined) return [];
  return schemasAt(schema, path.slice(0, -1))
    .flatMap(objectsIn)
    .flatMap((object) => memberOf(object, key));
}

/** True for a member with a default as well. */
export function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

function schemasOf(schema: z.ZodType, key: PropertyKey): z.ZodType[] {
  return alternatives(schema).flatMap((one) => {
    if (one instanceof z.ZodArray) return [one.element as z.ZodType];
    return one instanceof z.ZodObject ? memberOf(one, key) : [];
  });
}

function memberOf({ shape }: z.ZodObject, key: PropertyKey): z.ZodType[] {
  return Object.hasOwn(shape, key) ? [shape[key as string] as z.ZodType] : [];
}

/** Without wrappers such as optional and preprocess. */
function alternatives(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => alternatives(option as z.ZodType));
  if (schema instanceof z.ZodPipe) {
    const { in: first, out } = schema;
    return alternatives((first instanceof z.ZodTransform ? out : first) as z.ZodType);
  }
  const isWrapper = 'unwrap' in schema && !(schema instanceof z.ZodArray);
  return isWrapper ? alternatives((schema as z.ZodOptional).unwrap() as z.ZodType) : [schema];
}
