import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectorDefinitionSchema } from '../../../../../src/core/agents/connectors/definition/schema.ts';
import { changeLines } from '../../../../../src/core/agents/connectors/openapi/changes.ts';
import type { JsonObject } from '../../../../../src/core/agents/connectors/openapi/values.ts';
import { documentWith, imported } from './support.ts';

const parameter = (name: string, type: string, more: JsonObject = {}) => ({
  name,
  in: 'query',
  schema: { type },
  ...more,
});
const json = (schema: JsonObject) => ({ content: { 'application/json': { schema } } });
const form = (encoding: JsonObject = {}) => ({
  content: { 'application/x-www-form-urlencoded': { schema: {}, encoding } },
});
const withOperation = (operation: JsonObject, method = 'get', path = '/pets') =>
  documentWith({ paths: { [path]: { [method]: { operationId: 'pets', ...operation } } } });
const linesOf = (before: JsonObject, after: JsonObject) =>
  changeLines(imported(after, { existing: imported(before).definition }).changes);

test('changesOfImport: each difference with its place in the definition', () => {
  const none = withOperation({});
  const cases: [before: JsonObject, after: JsonObject, ...lines: string[]][] = [
    [none, none],
    [
      withOperation({ parameters: [parameter('a', 'string'), parameter('b', 'string', { required: true })] }),
      withOperation({ parameters: [parameter('a', 'integer', { required: true })] }),
      'GET /pets: parameters.query.properties.a.type is "integer", was "string"',
      'GET /pets: parameters.query.properties.b is gone',
      'GET /pets: parameters.query.required is ["a"], was ["b"]',
    ],
    [
      withOperation({ requestBody: form() }, 'post'),
      withOperation({ requestBody: form({ a: { explode: false, allowReserved: true } }) }, 'post'),
      'POST /pets: formStyles.a is new',
      'POST /pets: allowReserved is new',
    ],
    [none, withOperation({}, 'delete'), 'DELETE /pets: method is "DELETE", was "GET"'],
    [
      withOperation({ summary: 'All.' }),
      withOperation({ summary: 'a'.repeat(100), responses: { 204: {} } }),
      'GET /pets: description has changed',
      'GET /pets: mock is new',
    ],
    [
      withOperation({}, 'post'),
      withOperation({ requestBody: { ...json({}), required: true } }, 'post'),
      'POST /pets: parameters.body is new',
    ],
  ];
  for (const [before, after, ...lines] of cases) assert.deepEqual(linesOf(before, after).sort(), lines.sort());
});

test('changesOfImport: added and removed resources and schemas', () => {
  const Pet = { type: 'object', properties: { name: { type: 'string' } } };
  const body = { requestBody: json({ $ref: '#/components/schemas/Pet' }) };
  const document = (paths: JsonObject, pet: JsonObject = Pet) =>
    documentWith({ paths, components: { schemas: { Pet: pet } } });
  const before = document({ '/a': { get: {} }, '/b': { post: body } });
  assert.deepEqual(linesOf(before, document({ '/b': { post: body }, '/c': { get: {} } })), [
    'GET /a is gone (get-a)',
    'GET /c is new (get-c)',
  ]);
  assert.deepEqual(linesOf(before, document({ '/a': { get: {} } })), [
    'POST /b is gone (post-b)',
    'schema Pet is gone',
  ]);
  const other = { ...Pet, properties: { name: { type: 'integer' }, age: {} } };
  assert.deepEqual(linesOf(before, document({ '/a': { get: {} }, '/b': { post: body } }, other)), [
    'schema Pet: properties.name.type is "integer", was "string"',
    'schema Pet: properties.age is new',
  ]);
  const { changes } = imported(document({ '/a': { get: {} } }), { existing: imported(before).definition });
  assert.deepEqual(JSON.parse(JSON.stringify(changes))[0], {
    change: 'removed',
    of: 'resource',
    name: 'post-b',
    label: 'POST /b',
    details: [],
  });
});

test('importOpenApi: an update keeps the settings of the operator', () => {
  const existing = connectorDefinitionSchema.parse({
    slug: 'pets',
    name: 'Our pets',
    description: 'By us.',
    environments: { staging: { baseUrl: 'https://ours.example.com', secret: { credential: 'mine' } } },
    defaultEnvironment: 'staging',
    auth: { type: 'apiKey', in: 'query', name: 'key' },
    credentials: ['mine'],
    headers: { 'X-Team': 'us' },
    timeoutMs: 1,
    maxResponseBytes: 2,
    maxConcurrent: 3,
    retry: { attempts: 1, statuses: [500] },
    followRedirects: true,
    allowPrivateNetworks: ['10.0.0.0/8'],
    schemas: { Old: {} },
    resources: {
      pets: {
        method: 'POST',
        path: '/old',
        description: 'Old.',
        idempotent: true,
        timeoutMs: 4,
        mock: { body: 'old' },
        fallbackResponse: [],
        exposeAsTool: true,
      },
    },
  });
  const document = {
    ...withOperation({ summary: 'New.', parameters: [parameter('key', 'string'), parameter('limit', 'integer')] }),
    servers: [],
  };
  const { definition } = imported(document, { existing });
  const { schemas: _, ...kept } = existing;
  assert.deepEqual(definition, {
    ...kept,
    resources: {
      pets: {
        method: 'GET',
        path: '/pets',
        description: 'New.',
        parameters: {
          query: { type: 'object', properties: { limit: { type: 'integer' } }, additionalProperties: false },
        },
        bodyType: 'json',
        idempotent: true,
        timeoutMs: 4,
        fallbackResponse: [],
        exposeAsTool: true,
      },
    },
  });
  const moved = imported(document, { existing, baseUrl: 'https://new.example.com', name: 'Renamed' }).definition;
  assert.equal(moved.name, 'Renamed');
  assert.deepEqual(moved.environments, {
    ...existing.environments,
    production: { baseUrl: 'https://new.example.com', secret: { credential: 'mine' } },
  });
});
