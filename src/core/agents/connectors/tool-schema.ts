import { outlineOf } from '../../base/json-schema/outline.ts';
import { nameOfReference, reachableSchemas } from '../../base/json-schema/references.ts';
import { visitSubschemas } from '../../base/json-schema/schema.ts';
import type { JsonSchema } from '../../base/json-schema/values.ts';
import { placeholdersOf, type Resource } from './definition/resource-schema.ts';
import type { ConnectorDefinition } from './definition/schema.ts';
import { own } from './openapi/values.ts';
import { LOCATIONS, takesBody } from './request/validation.ts';

/** Self-contained. Flat, which models fill in best, unless parameter names collide. */
export function dataSchemaOf(definition: Pick<ConnectorDefinition, 'schemas'>, resource: Resource): JsonSchema {
  const { schemas = {} } = definition;
  const schemaOf = { ...openSchemas(resource), ...resource.parameters, ...pathOf(resource, schemas) };
  const located = LOCATIONS.flatMap((location) => {
    const schema = schemaOf[location];
    return schema ? [{ location, schema: resolved(schema, schemas) }] : [];
  });
  const schema = flatSchema(located) ?? nestedSchema(located, schemas);
  const $defs = reachableSchemas(schema, (name) => own(schemas, name));
  const whole: JsonSchema = structuredClone(Object.keys($defs).length > 0 ? { ...schema, $defs } : schema);
  // Only references are rewritten: a default or an example may have a member `$ref`, too.
  for (const part of [whole, ...Object.values((whole.$defs ?? {}) as Record<string, JsonSchema>)]) {
    visitSubschemas(part, (one) => {
      const name = nameOfReference(one.$ref);
      if (name !== null) one.$ref = `#/$defs/${name}`;
    });
  }
  return whole;
}

/** Locations without a schema accept anything. */
function openSchemas(resource: Resource): Resource['parameters'] {
  const { parameters } = resource;
  const anything = { type: 'object', properties: {} };
  if (parameters.body !== undefined) return {};
  return { ...(takesBody(resource) && { body: anything }), query: anything };
}

function pathOf({ path, parameters }: Resource, schemas: Record<string, JsonSchema>): Resource['parameters'] {
  const required = placeholdersOf(path);
  if (required.length === 0) return {};
  const text = Object.fromEntries(required.map((name) => [name, { type: 'string' }]));
  const schema = parameters.path && resolved(parameters.path, schemas);
  return { path: schema ? { ...schema, required } : { type: 'object', properties: text, required } };
}

interface LocatedSchema {
  location: (typeof LOCATIONS)[number];
  schema: JsonSchema;
}

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
function flatSchema(located: LocatedSchema[]): JsonSchema | null {
  const properties: Record<string, unknown> = {};
  const required: unknown[] = [];
  for (const { schema } of located) {
    const { type, properties: own, required: needed = [], allOf, anyOf, oneOf, not, $ref } = schema;
    const isPlain = (type === undefined || type === 'object') && (allOf ?? anyOf ?? oneOf ?? not ?? $ref) === undefined;
    if (!isPlain || typeof own !== 'object' || own === null || !Array.isArray(needed)) return null;
    for (const [name, value] of Object.entries(own)) {
      if (Object.hasOwn(properties, name) || LOCATIONS.some((location) => location === name)) return null;
      properties[name] = value;
    }
    required.push(...needed);
  }
  // A path accepts its placeholders only, whatever its schema says.
  const isOpen = located.some(({ location, schema }) => location !== 'path' && schema.additionalProperties !== false);
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(!isOpen && { additionalProperties: false }),
  };
}

function nestedSchema(located: LocatedSchema[], schemas: Record<string, JsonSchema>): JsonSchema {
  const isRequired = ({ location, schema }: LocatedSchema) =>
    location === 'path' ||
    (Array.isArray(schema.required) && schema.required.length > 0) ||
    (location === 'body' && !outlineOf(schema, schemas).takesObject);
  const required = located.filter(isRequired).map(({ location }) => location);
  return {
    type: 'object',
    properties: Object.fromEntries(located.map(({ location, schema }) => [location, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
