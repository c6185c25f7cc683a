import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiledResource } from '../../../../../src/core/agents/connectors/request/validation.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';
import { connector, messagesOf, requestOf } from '../support.ts';

const RESOURCE = {
  method: 'POST',
  path: '/pets/{petId}/visits',
  parameters: {
    path: { type: 'object', properties: { petId: { type: 'integer' } } },
    query: {
      type: 'object',
      properties: { limit: { type: 'integer', maximum: 10 } },
      required: ['limit'],
      additionalProperties: false,
    },
    headers: {
      type: 'object',
      properties: { 'X-Page': { type: 'integer' } },
      required: ['X-Page'],
      additionalProperties: false,
    },
    body: {
      type: 'object',
      properties: { visits: { type: 'array', items: { type: 'object', required: ['at'] } } },
      required: ['visits'],
    },
  },
};
const refused = (data: Record<string, unknown>, headers: Record<string, string> = {}) =>
  messagesOf(() => requestOf(connector(RESOURCE), { data, headers }));

test('checkData: messages have the path as the caller wrote it', () => {
  assert.deepEqual(
    refused({
      path: { petId: 'x' },
      query: { limit: 11, limt: 1 },
      headers: { 'x-page': 'one' },
      body: { visits: [{}] },
    }),
    [
      'data.path.petId: must be an integer',
      'data.query.limit: must be at most 10',
      'data.query.limt: unknown member; did you mean limit?',
      'data.headers.X-Page: must be an integer',
      'data.body.visits[0].at: is required',
    ],
  );
  assert.deepEqual(refused({ petId: 'x', limit: 11, 'x-page': 'one', visits: [{}] }), [
    'data.petId: must be an integer',
    'data.limit: must be at most 10',
    'data.X-Page: must be an integer',
    'data.visits[0].at: is required',
  ]);
});

test('checkData: a missing required member is reported once', () => {
  assert.deepEqual(refused({ path: {} }), [
    'data.path.petId: is required',
    'data.query.limit: is required',
    'data.headers.X-Page: is required',
    'data.body.visits: is required',
  ]);
  assert.deepEqual(refused({ path: { petId: null, petIt: 1 } }).slice(0, 2), [
    'data.path.petId: is required',
    'data.path.petIt: unknown parameter; did you mean petId?',
  ]);
});

test('checkData: a body without required members may be left out, if an object', () => {
  const optional = connector({ method: 'POST', parameters: { body: { type: 'object' } } });
  assert.equal(requestOf(optional).body, null);
  const list = connector({ method: 'POST', parameters: { body: { type: 'array' } } });
  assert.deepEqual(
    messagesOf(() => requestOf(list, { data: { query: {} } })),
    ['data.body: is required'],
  );
  assert.deepEqual(
    messagesOf(() => requestOf(list, { data: { a: 1 } })),
    ['data.a: unknown parameter; the body is not an object: write {"body": ...}'],
  );
});

test('checkData: an optional body may be left out whatever it requires', () => {
  const body = { type: 'object', properties: { name: {} }, required: ['name'] };
  const optional = connector({ method: 'POST', bodyOptional: true, parameters: { body } });
  assert.equal(requestOf(optional).body, null);
  assert.deepEqual(
    messagesOf(() => requestOf(optional, { data: { body: {} } })),
    ['data.body.name: is required'],
  );
});

test('checkData: a body is checked as JSON, other locations as text', () => {
  const both = { type: 'object', properties: { count: { type: 'integer' } } };
  const definition = connector({ method: 'POST', parameters: { query: both, body: both } });
  assert.deepEqual(
    messagesOf(() => requestOf(definition, { data: { query: { count: '5' } } })),
    [],
  );
  assert.deepEqual(
    messagesOf(() => requestOf(definition, { data: { body: { count: '5' } } })),
    ['data.body.count: must be an integer'],
  );
});

test('checkData: headers of the options are checked, too', () => {
  const data = { path: { petId: 1 }, query: { limit: 1 }, body: { visits: [] } };
  assert.deepEqual(refused(data, { 'x-page': '2', 'X-Trace': 'any' }), []);
  assert.deepEqual(refused(data, { 'x-page': 'two' }), ['options.headers.X-Page: must be an integer']);
});

test('compiledResource: compiled once per definition', () => {
  const definition = connector(RESOURCE);
  assert.equal(compiledResource(definition, 'call'), compiledResource(definition, 'call'));
  assert.notEqual(compiledResource(definition, 'call'), compiledResource(connector(RESOURCE), 'call'));
});

test('compiledResource: an unknown resource gets a suggestion', () => {
  assert.throws(
    () => compiledResource(connector(RESOURCE), 'cal'),
    (error) =>
      error instanceof RuntimeError &&
      error.code === 'not_found' &&
      /has no resource "cal"; did you mean call\?$/.test(error.message),
  );
  assert.throws(
    () => compiledResource(connector(RESOURCE), 'constructor'),
    /has no resource "constructor"; it has "call"$/,
  );
});
