import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { connectorDefinitionSchema } from '../../../../src/core/agents/connectors/definition/schema.ts';
import { exposedResources } from '../../../../src/core/agents/connectors/exposed.ts';
import type { JsonSchema } from '../../../../src/core/base/json-schema/values.ts';
import { connector } from '../../../support/connectors.ts';
import { messagesOf } from './support.ts';

const text = { type: 'string' };

/** The tool of a resource. */
function toolOf(parameters: object, { method = 'POST', path = '/a', ...members }: Record<string, unknown> = {}) {
  const resources = { one: { method, path, parameters, exposeAsTool: true } };
  const [tool] = exposedResources([connectorDefinitionSchema.parse(connector({ resources, ...members }))]);
  return tool!;
}

/** Names of properties at any depth, and the required ones. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] };
  return [...Object.keys(properties), ...required, ...Object.values(schema).flatMap(namesIn)];
}

test('renameProperties: names that vendors refuse become others, unique and short', () => {
  const long = 'x'.repeat(70);
  const names = [
    '$select',
    'select',
    'filter[status]',
    'Date<',
    'Date>',
    'Date',
    '$',
    'имя',
    long,
    `${long}y`,
    'a.b-c',
  ];
  const query = { properties: Object.fromEntries(names.map((name) => [name, text])), required: ['$select', 'Date>'] };
  const tool = toolOf({ query }, { method: 'GET' });
  const shown = Object.keys(tool.input.properties as object);
  assert.deepEqual(shown, [
    ...['select_2', 'select', 'filter_status', 'Date_2', 'Date_3', 'Date', 'parameter', 'parameter_2'],
    ...['x'.repeat(64), `${'x'.repeat(62)}_2`, 'a.b-c'],
  ]);
  assert.deepEqual(tool.input.required, ['select_2', 'Date_3']);
  assert.equal((tool.input.properties as Record<string, JsonSchema>).Date_2!.description, 'Sent as "Date<".');
  const data = Object.fromEntries(names.map((name, index) => [name, index]));
  assert.deepEqual(tool.dataOf(Object.fromEntries(shown.map((name, index) => [name, index]))), data);
  assert.deepEqual(tool.dataOf(data), data, 'the original names are taken, too');
});

test('renameProperties: nested, referenced and composed properties are mapped back', () => {
  const schemas = {
    Node: {
      type: 'object',
      properties: { '@id': text, kids: { type: 'array', items: { $ref: '#/schemas/Node' } } },
      required: ['@id'],
    },
  };
  const body = {
    type: 'object',
    properties: {
      'a b': {
        anyOf: [{ properties: { '#x': text } }, { allOf: [{ properties: { '#y': { $ref: '#/schemas/Node' } } }] }],
      },
      pair: { prefixItems: [text, { properties: { '#x': text } }] },
      map: { type: 'object', additionalProperties: { $ref: '#/schemas/Node' } },
      free: { type: 'object' },
    },
  };
  const { input, dataOf } = toolOf({ body }, { schemas });
  assert.ok(namesIn(input).every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name)));
  assert.ok(JSON.stringify(input).includes('"required":["id"]'));
  const data = dataOf({
    a_b: { x: '1', y: { id: 'n', kids: [{ id: 'm' }] } },
    pair: ['x', { x: 1 }],
    map: { id: { id: 'o' } },
    free: { id: 'as it is', x: { id: 1 } },
  });
  assert.deepEqual(data, {
    'a b': { '#x': '1', '#y': { '@id': 'n', kids: [{ '@id': 'm' }] } },
    pair: ['x', { '#x': 1 }],
    map: { id: { '@id': 'o' } },
    free: { id: 'as it is', x: { id: 1 } },
  });
});

test('renameProperties: any names are accepted, unique, and lead back to the data', () => {
  const name = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom('a', '$a', 'a_', '[a]', 'a_2'));
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 12 }), (names) => {
      const properties = Object.fromEntries(names.map((one) => [one, { properties: { [one]: text } }]));
      const { input, dataOf } = toolOf({ query: { properties: { q: { properties } } } }, { method: 'GET' });
      const inner = (input.properties as { q: { properties: Record<string, { properties: object }> } }).q.properties;
      const shown = Object.entries(inner).map(([one, { properties: own }]) => [one, Object.keys(own)[0]!] as const);
      assert.ok(shown.flat().every((one) => /^[a-zA-Z0-9_.-]{1,64}$/.test(one)));
      const given = Object.fromEntries(shown.map(([one, own]) => [one, { [own]: '' }]));
      const expected = Object.fromEntries(Object.keys(properties).map((one) => [one, { [one]: '' }]));
      assert.deepEqual(dataOf({ q: given }), { q: expected });
    }),
  );
});

test('withOriginalNames: the steps for any data are bounded', () => {
  const anyOf = Array.from({ length: 500 }, (_, index) => ({ properties: { [`$${index}`]: text } }));
  const { dataOf } = toolOf({ body: { properties: { list: { type: 'array', items: { anyOf } } } } });
  assert.deepEqual(dataOf({ list: [{ 7: 'a' }] }), { list: [{ $7: 'a' }] });
  assert.deepEqual(
    messagesOf(() => dataOf({ list: Array(10_000).fill({ 7: 'a' }) })),
    ['data: is too much for a tool; call it over REST'],
  );
});

test('dataSchemaOf: a $ref in a default, an example or an enumeration is data', () => {
  const $ref = '#/schemas/Pet';
  const schemas = { Pet: text };
  const data = { default: { $ref }, examples: [{ $ref }], enum: [{ $ref }], const: { $ref } };
  const body = { type: 'object', properties: { pet: { $ref }, $ref: { type: 'object', ...data } } };
  const { input } = toolOf({ body }, { schemas });
  assert.deepEqual(input.properties, {
    pet: { $ref: '#/$defs/Pet' },
    ref: { type: 'object', ...data, description: 'Sent as "$ref".' },
  });
});
