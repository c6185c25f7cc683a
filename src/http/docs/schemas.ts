import { z } from 'zod';
import { requestSchemas, responseSchemas } from '../../core/base/shared/schema-names.ts';

export type Json = Record<string, unknown>;

type Direction = 'input' | 'output';

const NAMES = { input: requestSchemas, output: responseSchemas };
const PREFIX = '#/components/schemas/';

export function jsonSchema(schema: z.ZodType, io: Direction): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: written }) => {
      const name = NAMES[io].get(zodSchema)?.id;
      if (name === undefined) return withItems({ jsonSchema: written });
      for (const member of Object.keys(written)) delete (written as Json)[member];
      written.$ref = PREFIX + name;
    },
  });
  return json;
}

/** Linters of OpenAPI want `items` wherever an array may be. */
function withItems({ jsonSchema }: { jsonSchema: Json }): void {
  if ([jsonSchema.type].flat().includes('array')) jsonSchema.items ??= {};
}

export function referredSchemas(document: unknown): Record<string, Json> {
  const named = { ...namedSchemas('input'), ...namedSchemas('output') };
  const found = new Set<string>();
  const find = (within: unknown): void => {
    for (const [, name] of JSON.stringify(within).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name!)) continue;
      found.add(name!);
      find(named[name!]);
    }
  };
  find(document);
  return Object.fromEntries([...found].sort().map((name) => [name, named[name]!]));
}

function namedSchemas(io: Direction): Record<string, Json> {
  const uri = (id: string) => PREFIX + id;
  const { schemas } = z.toJSONSchema(NAMES[io], { io, unrepresentable: 'any', uri, override: withItems });
  const bodies = Object.entries(schemas).map(([name, { $schema: _, $id: _id, ...json }]) => [name, json]);
  return Object.fromEntries(bodies);
}
