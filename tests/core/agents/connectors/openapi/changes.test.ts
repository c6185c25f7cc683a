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

test('changesBetween: each kind of change in words', () => {
  const none = withOperation({});
  const cases: [before: JsonObject, after: JsonObject, ...lines: string[]][] = [
    [none, none],
    [none, withOperation({ parameters: [parameter('limit', 'integer')] }), 'GET /pets: query parameter limit is new'],
    [
      withOperation({ parameters: [parameter('a', 'string'), parameter('b', 'string', { required: true })] }),
      withOperation({
        parameters: [parameter('a', 'integer', { required: true }), parameter('c', 'string', { required: true })],
      }),
      'GET /pets: query parameter a: integer was string',
      'GET /pets: query parameter a is required now',
      'GET /pets: query parameter b is gone',
      'GET /pets: query parameter c is new and required',
    ],
    [
      withOperation({ parameters: [parameter('a', 'string', { required: true })] }),
      withOperation({ parameters: [parameter('a', 'string', { description: 'What.' })] }),
      'GET /pets: query parameter a has changed',
      'GET /pets: query parameter a is no longer required',
    ],
    [
      withOperation({ parameters: [parameter('a', 'array')] }),
      withOperation({ parameters: [parameter('a', 'array', { explode: false })] }),
      'GET /pets: query parameter a is written as comma, was form',
    ],
    [
      withOperation({ requestBody: form() }, 'post'),
      withOperation({ requestBody: form({ a: { explode: false, allowReserved: true } }) }, 'post'),
      'POST /pets: body member a is written as comma, was JSON or repeated',
      'POST /pets: allowReserved has changed',
    ],
    [none, withOperation({}, 'delete'), 'DELETE /pets: method was GET'],
    [
      withOperation({}, 'get', '/pet/{id}'),
      withOperation({}, 'get', '/pets/{petId}'),
      'GET /pets/{petId}: path was /pet/{id}',
      'GET /pets/{petId}: parameter id is gone',
      'GET /pets/{petId}: parameter petId is new and required',
    ],
    [none, withOperation({ summary: 'All.' }), 'GET /pets: description has changed'],
    [none, withOperation({ responses: { 204: {} } }), 'GET /pets: mock has changed'],
    [withOperation({}, 'post'), withOperation({ requestBody: json({}) }, 'post'), 'POST /pets: body is new'],
    [withOperation({ requestBody: json({}) }, 'post'), withOperation({}, 'post'), 'POST /pets: body is gone'],
    [
      withOperation({ requestBody: json({ properties: { a: { type: 'string' } } }) }, 'post'),
      withOperation(
        { requestBody: json({ properties: { a: { type: ['string', 'null'] }, b: {} }, required: ['b'] }) },
        'post',
      ),
      'POST /pets: body member a: string or null was string',
      'POST /pets: body member b is new and required',
    ],
    [
      withOperation({ requestBody: json({ type: 'object' }) }, 'post'),
      withOperation({ requestBody: json({ type: 'array' }) }, 'post'),
      'POST /pets: body has changed',
    ],
    [
      withOperation({ requestBody: json({ type: 'array' }) }, 'post'),
      withOperation(
        { requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'array' } } } } },
        'post',
      ),
      'POST /pets: body is sent as form, was json',
    ],
  ];
  for (const [before, after, ...lines] of cases) assert.deepEqual(linesOf(before, after), lines);
});

test('changesBetween: added and removed resources and schemas', () => {
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
    'schema Pet: member name: integer was string',
    'schema Pet: member age is new',
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

test('changesBetween: tells when lists and objects of a form are written anew', () => {
  const document = withOperation({ requestBody: form() }, 'post');
  const { definition } = imported(document);
  delete definition.resources.pets!.formStyles;
  assert.deepEqual(changeLines(imported(document, { existing: definition }).changes), [
    "POST /pets: lists and objects of the form are written as OpenAPI's forms are",
  ]);
});
