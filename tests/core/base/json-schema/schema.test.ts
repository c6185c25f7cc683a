import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOfDefinition } from '../../agents/connectors/support.ts';

const ofBody = (body: unknown, schemas: object = {}) =>
  problemsOfDefinition({ method: 'POST', parameters: { body } }, { schemas }).map((problem) =>
    problem.replace(/^resources\.call\.parameters\./, ''),
  );

test('parameterSchema: accepts enforced and descriptive keywords', () => {
  const everything = {
    $ref: '#/schemas/Pet',
    ...{ allOf: [{}], anyOf: [true], oneOf: [{ not: false }], not: {} },
    ...{ type: ['object', 'null'], enum: [null, 1], const: { a: 1 } },
    ...{ properties: { a: { type: 'integer' } }, patternProperties: { '^x': true }, additionalProperties: false },
    ...{ propertyNames: { pattern: '^[a-z\\d_-]+$' }, required: ['a'], minProperties: 0, maxProperties: 9 },
    ...{ prefixItems: [{}], items: false, minItems: 0, maxItems: 3 },
    ...{ minimum: -1, maximum: 2.5, exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.01 },
    ...{ minLength: 0, maxLength: 1, pattern: '^\\u0041(?<name>b)\\/$' },
    ...{ title: 't', description: 'd', $comment: 'c', format: 'date-time', default: null, examples: [1] },
    ...{ deprecated: true, readOnly: false, writeOnly: true },
  };
  assert.deepEqual(ofBody(everything, { Pet: { type: 'object' } }), []);
});

test('parameterSchema: refuses other keywords with a remedy', () => {
  const cases: [object, string][] = [
    [{ uniqueItems: true }, 'body.uniqueItems: is not a keyword that is understood here; leave it out'],
    [{ items: { contains: {} } }, 'body.items.contains: is not a keyword that is understood here; leave it out'],
    [{ allOf: [{}, { if: {} }] }, 'body.allOf.1.if: is not a keyword that is understood here; leave it out'],
    [{ minlength: 1 }, 'body.minlength: is not a keyword that is understood here; did you mean minLength?'],
    [
      { properties: { a: { nullable: true } } },
      'body.properties.a.nullable: is not a keyword that is understood here; write "type": ["string", "null"]',
    ],
    [
      { patternProperties: { '^x-': { unevaluatedProperties: false } } },
      'body.patternProperties.^x-.unevaluatedProperties: is not a keyword that is understood here; leave it out',
    ],
    [JSON.parse('{"__proto__": 1}'), 'body.__proto__: is not a keyword that is understood here; leave it out'],
    [{ constructor: {} }, 'body.constructor: is not a keyword that is understood here; did you mean const?'],
  ];
  for (const [schema, message] of cases) {
    assert.deepEqual(ofBody(schema), [message]);
  }
});

test('parameterSchema: refuses arguments of the wrong shape', () => {
  const cases: [unknown, RegExp][] = [
    ['text', /^body: must be a JSON Schema: an object$/],
    [true, /^body: must be a JSON Schema: an object$/],
    [{ type: 'text' }, /^body\.type: must be one or several of string, integer/],
    [{ type: ['null', 'null'] }, /^body\.type: must be one or several/],
    [{ type: [] }, /^body\.type: must be one or several/],
    [{ enum: [] }, /^body\.enum: must be an array of at least one value$/],
    [{ properties: [] }, /^body\.properties: must be an object of JSON Schemas$/],
    [{ properties: { a: 1 } }, /^body\.properties: must be an object of JSON Schemas$/],
    [{ items: [{}] }, /^body\.items: must be a JSON Schema: an object, true or false$/],
    [{ anyOf: [] }, /^body\.anyOf: must be an array of at least one JSON Schema$/],
    [{ required: [1] }, /^body\.required: must be an array of names$/],
    [{ minLength: -1 }, /^body\.minLength: must be 0 or more$/],
    [{ maxItems: 1.5 }, /^body\.maxItems: must be 0 or more$/],
    [{ minimum: '1' }, /^body\.minimum: must be a number$/],
    [{ multipleOf: 0 }, /^body\.multipleOf: must be a number above 0$/],
    [{ pattern: 1 }, /^body\.pattern: must be a string$/],
    [{ $ref: 'https://example.com/a.json' }, /^body\.\$ref: must be #\/schemas\/NAME/],
    [{ $ref: '#/resources/call' }, /^body\.\$ref: must be #\/schemas\/NAME/],
    [{ $ref: '#/schemas/a/properties/b' }, /^body\.\$ref: must be #\/schemas\/NAME/],
    [{ default: 2 ** 60 }, /^body\.default: is an integer beyond 2\^53/],
  ];
  for (const [schema, message] of cases) assert.match(ofBody(schema)[0] ?? 'nothing', message, JSON.stringify(schema));
});

test('parameterSchema: deep or very wrong schemas get few messages', () => {
  let deep: object = {};
  for (let level = 0; level < 100; level += 1) deep = { items: deep };
  assert.match(ofBody(deep)[0]!, /is nested deeper than 64 levels; flatten it$/);
  const wrong = { properties: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`a${index}`, { no: 1 }])) };
  assert.equal(ofBody(wrong).length, 20);
});
