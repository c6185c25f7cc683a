import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { connectorDefinitionSchema } from '../../../../../src/core/agents/connectors/definition/schema.ts';
import { importOpenApi } from '../../../../../src/core/agents/connectors/openapi/import.ts';
import { parseDocument } from '../../../../../src/core/agents/connectors/openapi/parse-document.ts';
import type { JsonObject } from '../../../../../src/core/agents/connectors/openapi/values.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';
import { documentWith, imported, refusalOf } from './support.ts';

const RUNS = 75;

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

const get = (operation: JsonObject) => documentWith({ paths: { '/pets': { get: operation } } });
const post = (schema: unknown) =>
  documentWith({ paths: { '/pets': { post: { requestBody: { content: { 'application/json': { schema } } } } } } });
const nested = (levels: number): unknown => (levels === 0 ? 'end' : { a: nested(levels - 1) });
const COPY = 'must begin with #; copy into the document what it refers to';
/** The pointer of the body schema of `post`. */
const SCHEMA_REFERENCE = '#/paths/~1pets/post/requestBody/content/application~1json/schema/$ref';
const NO_ADDRESS = '#/servers: has no address that can be used; name one with --base-url https://api.example.com/v1';
const NO_OPERATION = '#/paths: has no operation that can be called';

const CASES: Record<string, [document: unknown, ...messages: string[]]> = {
  'a text': ['openapi', '#: must be an OpenAPI document: an object'],
  nothing: [null, '#: must be an OpenAPI document: an object'],
  'a list': [[documentWith()], '#: must be an OpenAPI document: an object'],
  'an object of something else': [{ a: 1 }, '#/openapi: is required: the version of OpenAPI, 3.0.3 for example'],
  'Swagger 2.0': [{ swagger: '2.0' }, '#/swagger: is of Swagger 2; convert the document to OpenAPI 3.0 or 3.1 first'],
  'OpenAPI 3.2': [documentWith({ openapi: '3.2.0' }), '#/openapi: must be 3.0 or 3.1'],
  'OpenAPI 4': [documentWith({ openapi: 4 }), '#/openapi: must be 3.0 or 3.1'],
  'no paths': [documentWith({ paths: undefined }), NO_OPERATION],
  'paths that are a list': [documentWith({ paths: [] }), NO_OPERATION],
  'an operation of a method that is not called': [
    documentWith({ paths: { '/pets': { trace: {} } } }),
    NO_OPERATION,
    '#/paths/~1pets/trace: is of a method that is not called; it is left out',
  ],
  'only what cannot be sent': [
    documentWith({ paths: { '/pets': { post: { requestBody: { content: { 'text/csv': {} } } } } } }),
    NO_OPERATION,
    '#/paths/~1pets/post/requestBody: is sent as text/csv, of which none can be sent; the operation is left out',
  ],
  'no servers': [documentWith({ servers: undefined }), NO_ADDRESS],
  'a relative server': [
    documentWith({ servers: [{ url: '/v1' }] }),
    NO_ADDRESS,
    '#/servers/0: is an address relative to that of the document; it is left out',
  ],
  'a server in a private network': [
    documentWith({ servers: [{ url: 'http://192.168.1.1' }] }),
    NO_ADDRESS,
    '#/servers/0: is an address in a private network, which is not allowed; it is left out',
  ],
  'a server with a password': [
    documentWith({ servers: [{ url: 'https://a:b@example.com' }] }),
    NO_ADDRESS,
    '#/servers/0: is not an http or https address without user, query and fragment; it is left out',
  ],
  'a server of another protocol': [
    documentWith({ servers: [{ url: 'ftp://example.com' }] }),
    NO_ADDRESS,
    '#/servers/0: is not an http or https address without user, query and fragment; it is left out',
  ],
  'a server whose variable has no default': [
    documentWith({ servers: [{ url: 'https://{host}' }, {}] }),
    NO_ADDRESS,
    '#/servers/0: is a server with a variable that has no default; it is left out',
    '#/servers/1: is a server without a url; it is left out',
  ],
  'a reference to a file': [post({ $ref: 'pet.yaml' }), `${SCHEMA_REFERENCE}: ${COPY}`],
  'a reference to a file by its address': [post({ $ref: 'file:///etc/passwd' }), `${SCHEMA_REFERENCE}: ${COPY}`],
  'a reference to the web': [post({ $ref: 'https://example.com/pet.json#/Pet' }), `${SCHEMA_REFERENCE}: ${COPY}`],
  'a reference without protocol': [post({ $ref: '//example.com/pet.json' }), `${SCHEMA_REFERENCE}: ${COPY}`],
  'a reference to a folder above': [post({ $ref: '../pet.json#/Pet' }), `${SCHEMA_REFERENCE}: ${COPY}`],
  'an empty reference': [post({ $ref: '' }), `${SCHEMA_REFERENCE}: ${COPY}`],
  'a parameter in a file': [
    get({ parameters: [{ $ref: 'limit.yaml' }] }),
    `#/paths/~1pets/get/parameters/0/$ref: ${COPY}`,
  ],
  'a reference that leads nowhere': [
    post({ $ref: '#/components/schemas/Pet' }),
    `${SCHEMA_REFERENCE}: leads nowhere; there is no "#/components/schemas/Pet" in the document`,
  ],
  'a reference to what every object has': [
    post({ $ref: '#/components/constructor' }),
    `${SCHEMA_REFERENCE}: leads nowhere; there is no "#/components/constructor" in the document`,
  ],
  'a reference to the document itself': [
    post({ $ref: '#' }),
    `${SCHEMA_REFERENCE}: leads nowhere; there is no "#" in the document`,
  ],
  'a reference to an anchor': [
    post({ $ref: '#pet' }),
    `${SCHEMA_REFERENCE}: leads nowhere; there is no "#pet" in the document`,
  ],
  'a reference that is wrongly encoded': [
    post({ $ref: '#/%zz' }),
    `${SCHEMA_REFERENCE}: leads nowhere; there is no "#/%zz" in the document`,
  ],
  'a parameter that leads nowhere': [
    get({ parameters: [{ $ref: '#/components/parameters/limit' }] }),
    '#/paths/~1pets/get/parameters/0/$ref: leads nowhere; there is no "#/components/parameters/limit" in the document',
  ],
  'a parameter that leads back to itself': [
    get({ parameters: [{ $ref: '#/paths/~1pets/get/parameters/0' }] }),
    '#/paths/~1pets/get/parameters/0/$ref: leads back to itself',
  ],
  'what is nested too deep': [
    documentWith({ 'x-deep': nested(300) }),
    '#: is nested deeper than 200 levels; flatten it',
  ],
  'more operations than a connector has': [
    documentWith({
      paths: Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`/p${index}`, { get: {} }])),
    }),
    '#/paths: has 2001 operations; a connector has 2000 at most, so import the document in parts',
  ],
};

for (const [name, [document, ...messages]] of Object.entries(CASES)) {
  test(`importOpenApi: refuses ${name}`, () => {
    assert.deepEqual(
      refusalOf(() => imported(document)),
      messages,
    );
  });
}

test('importOpenApi: refuses an invalid baseUrl or slug', () => {
  assert.deepEqual(
    refusalOf(() => imported(documentWith(), { baseUrl: 'http://10.0.0.1' })),
    [
      'environments.production.baseUrl: is in a private network; the operator may allow that: allowPrivateNetworks, --allow-private-network of an import',
    ],
  );
  assert.match(refusalOf(() => imported(documentWith(), { slug: 'No Slug' })).join(), /^slug: must be /);
});

test('importOpenApi: refuses circular aliases', () => {
  const document = parseDocument('openapi: 3.0.0\nx-a: &a\n  again: *a\n  more: *a\n', 'circle.yaml');
  assert.match(refusalOf(() => imported(document)).join(), /^#: (is nested deeper|has more than)/);
});
