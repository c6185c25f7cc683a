import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { connectorDefinitionSchema } from '../../../../../src/core/agents/connectors/definition/schema.ts';
import { importOpenApi } from '../../../../../src/core/agents/connectors/openapi/import.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';

const RUNS = 75;

/** Values of the wrong type. */
const junk = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(null, true, '', 7, -1, 1e300, [], {}, [null], 'x', '\ud800', '__proto__') },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const names = fc.constantFrom('Pet', 'a b', '__proto__', 'constructor', 'x-y', '', 'ü', '$ref', 'id', '\ud800');
const often = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 60, arbitrary }, { weight: 1, arbitrary: junk });
const dictionary = <Value>(key: fc.Arbitrary<string>, value: fc.Arbitrary<Value>) =>
  fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 3 }).map((entries) => Object.fromEntries(entries));
const some = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(Object.fromEntries(Object.entries(members).map(([name, one]) => [name, often(one)])), { requiredKeys: [] });

const referenceTo = (place: string, ...all: string[]) =>
  fc.constantFrom(...all).map((name) => ({ $ref: `#/components/${place}/${name}` }));
const reference = fc.oneof(
  { weight: 30, arbitrary: referenceTo('schemas', 'Pet', 'a b', 'x-y') },
  { weight: 1, arbitrary: referenceTo('schemas', '__proto__', 'none', '%zz') },
);
const withAlways = (others: fc.Arbitrary<object>, always: Record<string, fc.Arbitrary<unknown>>) =>
  fc.tuple(others, fc.record(always)).map(([some, all]) => ({ ...some, ...all }));
const number = fc.oneof(fc.nat(9), fc.constantFrom(-1, 0.5, 2 ** 63, -(2 ** 63)));

const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
    fc.constantFrom({ type: 'string' }, { type: 'integer' }, {}, true),
    reference,
    some({
      type: fc.constantFrom('string', 'object', 'array', 'file', ['string', 'null'], 'null'),
      properties: dictionary(names, tie('schema')),
      patternProperties: dictionary(fc.constantFrom('^x', '(?=x)', '['), tie('schema')),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      required: fc.array(names, { maxLength: 3 }),
      items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
      allOf: fc.array(tie('schema'), { maxLength: 2 }),
      anyOf: fc.array(tie('schema'), { maxLength: 2 }),
      oneOf: fc.array(tie('schema'), { maxLength: 2 }),
      not: tie('schema'),
      nullable: fc.boolean(),
      readOnly: fc.boolean(),
      enum: fc.array(junk, { maxLength: 3 }),
      pattern: fc.constantFrom('^a$', '(?!a)', '(', '\\d+'),
      minimum: number,
      maximum: number,
      exclusiveMinimum: fc.oneof(fc.boolean(), number),
      maxLength: number,
      multipleOf: number,
      default: junk,
      example: junk,
    }),
  ),
}));

const written = {
  style: fc.constantFrom('form', 'deepObject', 'spaceDelimited', 'matrix', 'label', 'simple'),
  explode: fc.boolean(),
  allowReserved: fc.boolean(),
};
const encoding = some({ ...written, contentType: fc.constantFrom('application/json', 'image/*', 'text/csv', '') });
const media = some({
  schema,
  example: junk,
  examples: dictionary(names, fc.record({ value: junk })),
  encoding: dictionary(names, encoding),
});
const types = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/xml',
  '*/*',
);
const content = dictionary(types, media);
const parameter = fc.oneof(
  { weight: 1, arbitrary: referenceTo('parameters', 'id', 'limit') },
  {
    weight: 5,
    arbitrary: some({
      name: fc.oneof(names, fc.constantFrom('Accept', 'X-A', 'id')),
      in: fc.constantFrom('path', 'query', 'header', 'cookie'),
      required: fc.boolean(),
      schema,
      content,
      ...written,
      collectionFormat: fc.constantFrom('csv', 'tsv', 'multi'),
      description: fc.string(),
    }),
  },
);
const security = fc.array(dictionary(fc.constantFrom('one', 'two', '__proto__'), fc.array(fc.string())), {
  maxLength: 2,
});
const operation = some({
  operationId: fc.oneof(names, fc.string()),
  summary: fc.string(),
  parameters: fc.array(parameter, { maxLength: 3 }),
  requestBody: some({ content, required: fc.boolean() }),
  responses: dictionary(fc.constantFrom('200', '204', '2XX', 'default'), some({ content })),
  security,
});
const paths = dictionary(
  fc.oneof(
    fc.constantFrom('/a/{id}', '/b', '/{a b}', 'c', '/{id}/{id}', '/x%', '/../y', '/z?a=b', '__proto__'),
    fc.webPath(),
  ),
  some({ get: operation, post: operation, delete: operation, parameters: fc.array(parameter, { maxLength: 2 }) }),
);
const scheme = some({
  type: fc.constantFrom('http', 'apiKey', 'oauth2', 'openIdConnect', 'mutualTLS'),
  scheme: fc.constantFrom('basic', 'bearer', 'digest'),
  in: fc.constantFrom('header', 'query', 'cookie'),
  name: fc.constantFrom('X-Key', 'bad name', ''),
  flows: fc.constantFrom(
    {},
    { clientCredentials: { tokenUrl: 'https://example.com/t' } },
    { clientCredentials: { tokenUrl: 't' } },
  ),
});
const document = fc.record(
  {
    openapi: fc.constantFrom('3.0.3', '3.1.0'),
    info: some({ title: fc.string(), description: fc.string() }),
    servers: fc.oneof(fc.constant([{ url: 'https://example.com' }]), often(fc.array(some({ url: fc.webUrl() })))),
    paths: often(paths),
    components: fc.record({
      schemas: withAlways(dictionary(names, schema), { Pet: schema, 'a b': schema, 'x-y': schema }),
      parameters: withAlways(dictionary(names, parameter), { id: parameter, limit: parameter }),
      securitySchemes: dictionary(fc.constantFrom('one', 'two', '__proto__'), scheme),
    }),
    security: often(security),
  },
  { requiredKeys: ['openapi', 'servers', 'paths', 'components'] },
);

test('importOpenApi: any document is refused or imports to a stable definition', () => {
  let importedOnes = 0;
  fc.assert(
    fc.property(document, (given) => {
      try {
        const { definition } = importOpenApi(given, { slug: 'any' });
        importedOnes++;
        const stored = JSON.parse(JSON.stringify(definition));
        assert.deepEqual(connectorDefinitionSchema.parse(stored), stored);
        const again = importOpenApi(given, { slug: 'any', existing: connectorDefinitionSchema.parse(stored) });
        assert.deepEqual(again.changes, []);
      } catch (error) {
        if (!(error instanceof RuntimeError)) throw error;
        assert.equal(error.code, 'invalid');
      }
    }),
    { numRuns: RUNS },
  );
  assert.ok(importedOnes > RUNS / 10, `${importedOnes} of ${RUNS} were imported`);
});
