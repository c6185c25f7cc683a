import { reachableSchemas } from '../../../../../../src/core/base/json-schema/references.ts';
import type { Schemas } from '../../../../api/schemas.ts';
import type { ConnectorTool } from './form.ts';

type Definition = Schemas['Connector']['definition'];
type JsonSchema = Record<string, unknown>;

const LONGEST_NAME = 64;

/** A resource as a tool. Its arguments are those of a call by location: `{path, query, body}`. */
export function connectorTool(definition: Definition, resource: string): ConnectorTool {
  const { slug } = definition;
  const schemas = (definition.schemas ?? {}) as Record<string, JsonSchema>;
  const { description, method, path, parameters = {} } = definition.resources[resource]!;
  const located: Record<string, JsonSchema> = {
    ...pathSchema(path),
    ...(parameters as Record<string, JsonSchema>),
  };
  delete located.headers;
  const named = reachableSchemas(located, (name) => (Object.hasOwn(schemas, name) ? schemas[name] : undefined));
  const required = Object.keys(located).filter((location) => location !== 'query');
  const schema = {
    type: 'object',
    properties: located,
    ...(required.length > 0 && { required }),
    ...(Object.keys(named).length > 0 && { $defs: named }),
  };
  return {
    connector: slug,
    resource,
    tool: {
      type: 'function',
      function: {
        name: `${slug}_${resource}`.replace(/[^\w-]/g, '_').slice(0, LONGEST_NAME),
        description: description ?? `${method} ${path}`,
        parameters: withLocalReferences(schema),
      },
    },
  };
}

function pathSchema(path: string): Record<string, JsonSchema> {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  if (names.length === 0) return {};
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { path: { type: 'object', properties, required: names } };
}

/** Definitions refer to their own schemas; a tool has them within. */
function withLocalReferences(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^#\/schemas\//, '#/$defs/') : value,
  );
  return JSON.parse(text) as JsonSchema;
}
