import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../../src/core/agents/connectors/openapi/values.ts';
import { headerOf, requestOf } from '../support.ts';
import { documentWith, imported, resourceOf } from './support.ts';

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
