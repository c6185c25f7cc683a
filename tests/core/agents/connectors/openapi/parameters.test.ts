import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../../src/core/agents/connectors/openapi/values.ts';
import { headerOf, requestOf } from '../support.ts';
import { documentWith, imported, resourceOf } from './support.ts';

const query = (parameter: JsonObject) => resourceOf({ parameters: [{ name: 'a', in: 'query', ...parameter }] });
const noted = (messages: string[], part: string) =>
  assert.ok(
    messages.some((one) => one.includes(part)),
    part,
  );

test('importParameters: parameters by location, unknown ones refused', () => {
  const { resource } = resourceOf(
    {
      parameters: [
        { name: 'petId', in: 'path', required: true, schema: { type: 'integer' }, description: 'Which.' },
        {
          name: 'limit',
          in: 'query',
          required: true,
          schema: { type: 'integer', description: 'lost' },
          description: 'Most.',
        },
        { name: 'after', in: 'query' },
        { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string' } },
      ],
    },
    { path: '/pets/{petId}' },
  );
  assert.deepEqual(resource.parameters, {
    path: {
      type: 'object',
      properties: { petId: { type: 'integer', description: 'Which.' } },
      required: ['petId'],
      additionalProperties: false,
    },
    query: {
      type: 'object',
      properties: { limit: { type: 'integer', description: 'Most.' }, after: {} },
      required: ['limit'],
      additionalProperties: false,
    },
    headers: { type: 'object', properties: { 'X-Trace': { type: 'string' } }, required: ['X-Trace'] },
  });
});

test('importParameters: parameters of an operation override those of its path', () => {
  const document = documentWith({
    paths: {
      '/pets': {
        parameters: [
          { name: 'a', in: 'query', schema: { type: 'string' } },
          { $ref: '#/components/parameters/b' },
          { name: 'a', in: 'header', schema: { type: 'string' } },
        ],
        get: { operationId: 'get', parameters: [{ name: 'a', in: 'query', schema: { type: 'integer' } }] },
        delete: { operationId: 'delete' },
      },
    },
    components: { parameters: { b: { name: 'b', in: 'query', schema: { type: 'boolean' } } } },
  });
  const { resources } = imported(document).definition;
  const typesOf = (slug: string) => resources[slug]!.parameters.query!.properties;
  assert.deepEqual(typesOf('get'), { a: { type: 'integer' }, b: { type: 'boolean' } });
  assert.deepEqual(typesOf('delete'), { a: { type: 'string' }, b: { type: 'boolean' } });
  assert.deepEqual(resources.get!.parameters.headers!.properties, { a: { type: 'string' } });
});

test('importParameters: styles of lists and objects', () => {
  const list = { schema: { type: 'array', items: { type: 'string' } } };
  const object = { schema: { type: 'object', additionalProperties: { type: 'string' } } };
  const cases: [parameter: JsonObject, style: string | undefined][] = [
    [list, undefined],
    [{ ...list, style: 'form', explode: true }, undefined],
    [{ ...list, style: 'form', explode: false }, 'comma'],
    [{ ...list, explode: false }, 'comma'],
    [{ ...list, style: 'spaceDelimited' }, 'spaceDelimited'],
    [{ ...list, style: 'pipeDelimited', explode: false }, 'pipeDelimited'],
    [{ ...list, style: 'pipeDelimited', explode: true }, undefined],
    [{ ...list, style: 'deepObject' }, 'brackets'],
    [{ ...object, style: 'deepObject', explode: true }, 'deepObject'],
    [{ schema: { type: 'string' }, explode: false }, undefined],
    [{ schema: { anyOf: [{ type: 'object' }, { type: 'integer' }] }, style: 'deepObject' }, 'deepObject'],
    [{ schema: { $ref: '#/components/schemas/List' }, explode: false }, 'comma'],
    [object, 'spread'],
    [{ schema: { allOf: [object.schema, { properties: { b: {} } }] } }, 'spread'],
    [{ schema: { oneOf: [list.schema, { type: 'string' }] }, explode: false }, 'comma'],
    [{ schema: { anyOf: [list.schema, { enum: [''], type: 'string' }] }, style: 'deepObject' }, 'brackets'],
    [{ schema: { type: 'object', properties: { b: {} }, additionalProperties: { type: 'string' } } }, 'spread'],
    [{ schema: { $ref: '#/components/schemas/Circle' }, explode: false }, 'comma'],
    [{ ...list, collectionFormat: 'csv' }, undefined],
  ];
  for (const [parameter, style] of cases) {
    const Circle = { anyOf: [{ $ref: '#/components/schemas/Circle' }, list.schema] };
    const more = { components: { schemas: { List: list.schema, Circle } } };
    const { resource } = resourceOf({ parameters: [{ name: 'a', in: 'query', ...parameter }] }, { more });
    assert.equal(resource.queryStyles?.a, style, JSON.stringify(parameter));
  }
  noted(query({ ...list, style: 'matrix' }).messages, 'none of a query');
  noted(query({ ...list, style: 'pipeDelimited', explode: true }).messages, 'leaves undefined');
  noted(query({ ...list, collectionFormat: 'csv' }).messages, 'of Swagger 2, not followed');
  noted(query({ ...list, allowReserved: true }).messages, 'are encoded all the same');
});

test('importParameters: a query object becomes its members by default', () => {
  const schema = {
    type: 'object',
    properties: { page: { type: 'integer' }, size: { type: 'integer' } },
    required: ['page'],
  };
  const more = { components: { schemas: { Page: schema } } };
  for (const one of [schema, { $ref: '#/components/schemas/Page' }]) {
    const parameters = [{ name: 'a', in: 'query', required: true, schema: one }];
    const { resource, definition } = resourceOf({ parameters }, { more });
    assert.deepEqual(resource.parameters.query, { ...schema, additionalProperties: false });
    assert.equal(definition.schemas, undefined);
  }
  assert.deepEqual(query({ schema, style: 'deepObject' }).resource.parameters.query?.properties, { a: schema });
});

test('importParameters: ignored headers, cookies and the secret are left out', () => {
  const parameters = [
    ...['Accept', 'content-type', 'AUTHORIZATION', 'Host', 'Cookie'].map((name) => ({
      name,
      in: 'header',
      schema: {},
    })),
    { name: 'session', in: 'cookie', schema: {} },
    { name: 'x-KEY', in: 'header', required: true, schema: {} },
    { name: 'bad header', in: 'header', schema: {} },
    { name: 'a', in: 'body', schema: {} },
    { in: 'query' },
  ];
  const more = { components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } } };
  const { resource, messages } = resourceOf({ parameters }, { more });
  assert.equal(resource.parameters.headers, undefined);
  for (const part of ['cookie', 'header that cannot be sent', 'no known place', 'without a name'])
    noted(messages, part);
});

test('importParameters: a parameter with content is JSON, or text', () => {
  const json = query({ content: { 'application/json; charset=utf-8': { schema: { type: 'object' } } } });
  assert.deepEqual(json.resource.parameters.query?.properties, { a: { type: 'object' } });
  assert.deepEqual([json.resource.queryStyles, json.messages.length], [{ a: 'json' }, 1]);
  const { resource, messages } = query({ required: true, content: { 'text/csv': { schema: { type: 'object' } } } });
  assert.deepEqual(resource.parameters.query?.properties, { a: { type: 'string' } });
  assert.deepEqual(resource.parameters.query?.required, ['a']);
  noted(messages, 'content in place of a schema');
});

test('importParameters: a path has valid names and their parameters', () => {
  const { resource, messages } = resourceOf(
    {
      parameters: [
        { name: '$id', in: 'path', schema: { type: 'integer' } },
        { name: 'lost', in: 'path', schema: {} },
      ],
    },
    { path: 'a/{$id}/{2nd}/100%/%20' },
  );
  assert.equal(resource.path, '/a/{id}/{_2nd}/100%25/%20');
  assert.deepEqual(resource.parameters.path?.properties, { id: { type: 'integer' }, _2nd: { type: 'string' } });
  for (const part of ['"$id", which is called id', '"2nd" in its path', 'no "lost" in its path']) noted(messages, part);
});

test('operationsOf: an operation with an unusable path is left out', () => {
  for (const path of ['/a?b=c', '/#Action=x', '/a b', '/{a}/{a}', '/a/../b', '/{a', `/${'a'.repeat(2_001)}`]) {
    const { definition, notes } = imported(documentWith({ paths: { [path]: { get: {} }, '/b': { get: {} } } }));
    assert.deepEqual(Object.keys(definition.resources), ['get-b'], path);
    assert.ok(
      notes.some(({ at, message }) => at.startsWith('#/paths/') && message.endsWith('it is left out')),
      path,
    );
  }
});

test('operationsOf: the slug is the operationId where possible', () => {
  const operations = ['issues/create', 'a b', 'A.b_c-d', '--', 'Ünï', 'x'.repeat(150), 'a-b', undefined, 7];
  const paths = Object.fromEntries(
    operations.map((operationId, index) => [`/p/{id}/${index}`, { get: { operationId } }]),
  );
  assert.deepEqual(Object.keys(imported(documentWith({ paths })).definition.resources), [
    ...['issues-create', 'a-b', 'A.b_c-d', 'get-p-id-3', 'n', 'x'.repeat(100), 'a-b-2', 'get-p-id-7', 'get-p-id-8'],
  ]);
});

const schema = { type: 'object', properties: { a: { type: 'string' } } };
const withBody = (types: string[], method = 'post') =>
  resourceOf({ requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])) } }, { method });

test('importBody: prefers JSON to a form', () => {
  for (const types of [
    ['application/json'],
    ['multipart/form-data', 'Application/JSON; charset=utf-8'],
    ['application/x-www-form-urlencoded', 'application/vnd.api+json'],
    ['application/merge-patch+json'],
    ['*/*'],
  ]) {
    const { resource } = withBody(types);
    assert.deepEqual([resource.bodyType, resource.parameters.body], ['json', schema], types.join());
  }
  const { resource } = withBody(['application/xml', 'application/x-www-form-urlencoded']);
  assert.deepEqual([resource.bodyType, resource.parameters.body], ['form', schema]);
});

test('importBody: other JSON types are sent as they are, in UTF-8', () => {
  for (const [type, contentType, note] of [
    ['Application/Merge-Patch+JSON', 'application/merge-patch+json'],
    ['text/json', 'text/json'],
    ['application/json; charset=UTF-8', undefined],
    ['application/*+json', undefined],
    ['text/json; charset=iso-8859-1', 'text/json', 'is sent as UTF-8, and not as iso-8859-1'],
  ] as const) {
    const { resource, messages, definition } = withBody([type]);
    assert.deepEqual([resource.bodyType, resource.contentType], ['json', contentType], type);
    assert.deepEqual(
      messages.filter((one) => one.startsWith('is sent')),
      note === undefined ? [] : [note],
    );
    const [resourceSlug] = Object.keys(definition.resources) as [string];
    const request = requestOf(definition, { resourceSlug, data: { a: 'é' } });
    assert.deepEqual(
      [headerOf(request, 'content-type'), request.body],
      [contentType ?? 'application/json', '{"a":"é"}'],
    );
  }
});

test('importBody: a body is optional unless required', () => {
  const optionalOf = (members: object) =>
    resourceOf({ requestBody: { content: { 'application/json': { schema } }, ...members } }, { method: 'post' })
      .resource.bodyOptional;
  assert.deepEqual(
    [optionalOf({}), optionalOf({ required: false }), optionalOf({ required: true })],
    [true, true, undefined],
  );
});

test('importMock: a mock is normalised as storage does', () => {
  const { resource } = resourceOf({
    responses: { 200: { content: { 'application/json': { example: { a: -0 } } } } },
  });
  assert.ok(Object.is((resource.mock!.body as { a: number }).a, 0));
});

test('importBody: an operation with an unsupported body is left out', () => {
  for (const type of ['multipart/mixed', 'application/octet-stream', 'application/xml', 'text/plain', 'nonsense']) {
    const paths = { '/a': { post: { requestBody: { content: { [type]: { schema } } } } }, '/b': { get: {} } };
    const { definition, notes } = imported(documentWith({ paths }));
    assert.deepEqual(Object.keys(definition.resources), ['get-b'], type);
    assert.ok(notes.some(({ message }) => message.startsWith(`is sent as ${type}`)));
  }
});

test('importBody: a GET and an empty form have no body', () => {
  const { resource, messages } = withBody(['application/json'], 'get');
  assert.equal(resource.parameters.body, undefined);
  assert.ok(messages.some((message) => message.startsWith('is the body of GET')));
  const empty = { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: {} } } } };
  for (const method of ['get', 'delete']) {
    const one = resourceOf({ requestBody: empty }, { method });
    assert.deepEqual([one.resource.parameters.body, one.resource.bodyType], [undefined, 'json']);
    assert.ok(one.notes.every(({ at }) => !at.startsWith('#/paths')));
  }
  assert.deepEqual(withBody([]).resource.parameters.body, undefined);
});

const NO_MOCK = 'has no example of a successful JSON answer, or one too large; it has no mock';

const mockOf = (media: JsonObject, more: JsonObject = {}) =>
  resourceOf({ responses: { 200: { content: { 'application/json': media } } } }, { more }).resource.mock;

test('importMock: the example or default of an answer is its mock', () => {
  const shown = {
    schema: { example: { a: 'schema' } },
    examples: { one: { value: { a: 'named' } } },
    example: { a: 1 },
  };
  assert.deepEqual(mockOf(shown), { status: 200, body: { a: 1 } });
  assert.deepEqual(mockOf({ ...shown, example: null }), { status: 200, body: null });
  const { example: _, ...named } = shown;
  assert.deepEqual(mockOf(named), { status: 200, body: { a: 'named' } });
  assert.deepEqual(mockOf({ schema: shown.schema }), { status: 200, body: { a: 'schema' } });
  assert.deepEqual(mockOf({ schema: { examples: [{ a: 'first' }, 2] } }), { status: 200, body: { a: 'first' } });
  assert.deepEqual(mockOf({ schema: { type: 'array', default: [] } }), { status: 200, body: [] });
  const elsewhere = { examples: { one: { externalValue: 'https://example.com/a.json' } }, schema: { default: 0 } };
  assert.deepEqual(mockOf(elsewhere), { status: 200, body: 0 });
});

test('importMock: without an example of the whole answer there is a note, no mock', () => {
  const properties = { name: { type: 'string', example: 'Rex' }, age: { type: 'integer', default: 7 } };
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const { resource, messages } = resourceOf({ responses: { 200: { content } } });
  assert.equal(resource.mock, undefined);
  assert.deepEqual(
    messages.filter((message) => message.includes('mock')),
    [NO_MOCK],
  );
});

test('importMock: a large example is cut to one item per list, or left out', () => {
  const item = { text: 'x'.repeat(1_000) };
  assert.deepEqual(mockOf({ example: { list: Array(50).fill(item) } })?.body, { list: [item] });
  assert.equal(mockOf({ example: 'x'.repeat(30_000) }), undefined);
  const many = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [
      `/p${index}`,
      { get: { responses: { 200: { content: { 'application/json': { example: 'x'.repeat(3_000) } } } } } },
    ]),
  );
  const { resources } = imported(documentWith({ paths: many })).definition;
  assert.ok(
    Object.values(resources).every(({ mock }) => mock === undefined),
    'a thousand have two million together',
  );
});

test('importMock: takes the first successful JSON answer, else an empty one', () => {
  const json = { content: { 'application/json': { example: 1 } } };
  const statusOf = (responses: JsonObject) => resourceOf({ responses }).resource.mock;
  assert.deepEqual(statusOf({ 404: json, 201: json, 202: json }), { status: 201, body: 1 });
  assert.deepEqual(statusOf({ 200: { content: { 'text/csv': {} } }, 206: json }), { status: 206, body: 1 });
  assert.deepEqual(statusOf({ '2XX': json }), { status: 200, body: 1 });
  assert.deepEqual(statusOf({ 204: { description: 'gone' } }), { status: 204 });
  assert.equal(statusOf({ 200: { content: { 'text/csv': {} } } }), undefined);
  assert.equal(statusOf({ default: json }), undefined);
});

test('importMock: a broken reference costs the mock, not the operation', () => {
  const { resource, messages } = resourceOf({ responses: { 200: { $ref: '#/components/responses/none' } } });
  assert.equal(resource.mock, undefined);
  assert.ok(messages.some((message) => message.startsWith('has no mock: #/paths/~1pets/get/responses/200/$ref')));
});

test('importResources: a description joins summary and description, shortened', () => {
  assert.equal(resourceOf({ summary: 'Pets', description: 'All.' }).resource.description, 'Pets\n\nAll.');
  assert.equal(resourceOf({ description: 'x'.repeat(5_000) }).resource.description?.length, 1_000);
  assert.equal(resourceOf({}).resource.description, undefined);
});
