import { outlineOf } from '../json-schema/outline.ts';
import { nameOfReference, reachableSchemas } from '../json-schema/references.ts';
import type { JsonSchema } from '../json-schema/values.ts';
import type { ConnectorDefinition } from './definition/members.ts';
import { placeholdersOf } from './definition/path-template.ts';
import type { Resource } from './definition/resource-schema.ts';
import { PLACES, takesBody } from './request/validation.ts';

/**
 * The schema of `data` of a resource, complete in itself: flat, which models fill in best, if all
 * parameter names differ, else by place.
 */
export function dataSchemaOf(definition: Pick<ConnectorDefinition, 'schemas'>, resource: Resource): JsonSchema {
  const { schemas = {} } = definition;
  const given = { ...openPlaces(resource), ...resource.parameters, ...pathOf(resource, schemas) };
  const places = PLACES.flatMap((place) => {
    const schema = given[place];
    return schema ? [{ place, schema: resolved(schema, schemas) }] : [];
  });
  const schema = flat(places) ?? byPlace(places, schemas);
  const $defs = reachableSchemas(schema, (name) => (Object.hasOwn(schemas, name) ? schemas[name] : undefined));
  return withOwnReferences(Object.keys($defs).length > 0 ? { ...schema, $defs } : schema) as JsonSchema;
}

/** The open places without a schema; see `placeOfUnknown`. */
function openPlaces(resource: Resource): Resource['parameters'] {
  const { parameters } = resource;
  const anything = { type: 'object', properties: {} };
  if (parameters.body !== undefined) return {};
  return { ...(takesBody(resource) && { body: anything }), query: anything };
}

/** Path parameters are always required. */
function pathOf({ path, parameters }: Resource, schemas: Record<string, JsonSchema>): Resource['parameters'] {
  const required = placeholdersOf(path);
  if (required.length === 0) return {};
  const text = Object.fromEntries(required.map((name) => [name, { type: 'string' }]));
  const schema = parameters.path && resolved(parameters.path, schemas);
  return { path: schema ? { ...schema, required } : { type: 'object', properties: text, required } };
}

interface PlacedSchema {
  place: (typeof PLACES)[number];
  schema: JsonSchema;
}

/** Follows references; a circular one stays. */
function resolved(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const seen = new Set<JsonSchema>();
  let found = schema;
  while (typeof found.$ref === 'string' && !seen.has(found)) {
    seen.add(found);
    found = schemas[nameOfReference(found.$ref) ?? ''] ?? found;
  }
  return found;
}

/** Null when names collide or a schema is not a plain object. */
function flat(places: PlacedSchema[]): JsonSchema | null {
  const properties: Record<string, unknown> = {};
  const required: unknown[] = [];
  for (const { schema } of places) {
    const { type, properties: own, required: needed = [], allOf, anyOf, oneOf, not, $ref } = schema;
    const isPlain = (type === undefined || type === 'object') && (allOf ?? anyOf ?? oneOf ?? not ?? $ref) === undefined;
    if (!isPlain || typeof own !== 'object' || own === null || !Array.isArray(needed)) return null;
    for (const [name, value] of Object.entries(own)) {
      if (Object.hasOwn(properties, name) || PLACES.some((place) => place === name)) return null;
      properties[name] = value;
    }
    required.push(...needed);
  }
  // A path accepts its placeholders only, whatever its schema says.
  const isOpen = places.some(({ place, schema }) => place !== 'path' && schema.additionalProperties !== false);
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(!isOpen && { additionalProperties: false }),
  };
}

function byPlace(places: PlacedSchema[], schemas: Record<string, JsonSchema>): JsonSchema {
  const isNeeded = ({ place, schema }: PlacedSchema) =>
    place === 'path' ||
    (Array.isArray(schema.required) && schema.required.length > 0) ||
    (place === 'body' && !outlineOf(schema, schemas).takesObject);
  const required = places.filter(isNeeded).map(({ place }) => place);
  return {
    type: 'object',
    properties: Object.fromEntries(places.map(({ place, schema }) => [place, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Rewrites references to the schema's own `$defs`. */
function withOwnReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOwnReferences);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => {
    const name = key === '$ref' ? nameOfReference(member) : null;
    return [key, name === null ? withOwnReferences(member) : `#/$defs/${name}`] as const;
  });
  return Object.fromEntries(members);
}
