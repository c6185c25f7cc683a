import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaOf } from './support.ts';

const becomes = (given: unknown, expected: unknown) => assert.deepEqual(schemaOf(given).schema, expected);

test('SchemaImporter: keywords common to JSON Schema and OpenAPI stay', () => {
  const schema = {
    title: 'Pet',
    type: 'object',
    properties: {
      age: { type: 'integer', minimum: 0, exclusiveMaximum: 99, multipleOf: 2 },
      name: { type: ['string', 'null'], minLength: 1, maxLength: 5, pattern: '^\\w+$', format: 'name' },
      tags: { type: 'array', items: { enum: ['a', 1, null] }, minItems: 1, maxItems: 9 },
      pair: { prefixItems: [{ const: 1 }, { not: { type: 'string' } }], items: { type: 'boolean' } },
      either: {
        anyOf: [
          { type: 'string', default: 'a' },
          { type: 'number', deprecated: true },
        ],
      },
    },
    patternProperties: { '^x-': { type: 'string' } },
    additionalProperties: { type: 'string', examples: ['a'] },
    propertyNames: { maxLength: 9 },
    required: ['age'],
    minProperties: 1,
    maxProperties: 9,
  };
  const { schema: kept, notes } = schemaOf(schema);
  assert.deepEqual(kept, schema);
  assert.deepEqual(
    notes.filter(({ at }) => at.startsWith('#/paths')),
    [],
  );
});

test('SchemaImporter: nullable allows null', () => {
  becomes({ type: 'string', nullable: true }, { type: ['string', 'null'] });
  becomes({ type: 'string', nullable: true, enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] });
  becomes({ type: 'string', nullable: false }, { type: 'string' });
  becomes(
    { nullable: true, description: 'x', oneOf: [{ type: 'string' }] },
    { description: 'x', anyOf: [{ anyOf: [{ type: 'string' }] }, { type: 'null' }] },
  );
  const more = { components: { schemas: { Pet: { type: 'object' } } } };
  assert.deepEqual(schemaOf({ $ref: '#/components/schemas/Pet', nullable: true }, more).schema, {
    anyOf: [{ $ref: '#/schemas/Pet' }, { type: 'null' }],
  });
});

test('SchemaImporter: boolean exclusive bounds become numbers', () => {
  becomes({ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 });
  becomes({ minimum: 1, exclusiveMinimum: false }, { minimum: 1 });
  becomes({ maximum: 1, exclusiveMaximum: true, minimum: 0 }, { exclusiveMaximum: 1, minimum: 0 });
  becomes({ exclusiveMaximum: true }, {});
  becomes({ exclusiveMaximum: 3 }, { exclusiveMaximum: 3 });
});

test('SchemaImporter: 64-bit bounds are dropped without a note', () => {
  const { schema, messages } = schemaOf({ type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 });
  assert.deepEqual(schema, { type: 'integer' });
  assert.ok(messages.every((message) => !message.includes('imum')));
});

test('SchemaImporter: oneOf becomes anyOf', () => {
  becomes({ oneOf: [{ type: 'string' }, { type: 'number' }] }, { anyOf: [{ type: 'string' }, { type: 'number' }] });
  becomes(
    { oneOf: [{ type: 'string' }], anyOf: [{ maxLength: 1 }] },
    { anyOf: [{ maxLength: 1 }], allOf: [{ anyOf: [{ type: 'string' }] }] },
  );
});

test('SchemaImporter: read-only members are not required', () => {
  becomes(
    { properties: { id: { readOnly: true }, name: {} }, required: ['id', 'name'] },
    { properties: { id: { readOnly: true }, name: {} }, required: ['name'] },
  );
  const more = {
    components: {
      schemas: { Id: { type: 'integer', readOnly: true }, Base: { properties: { made: { readOnly: true } } } },
    },
  };
  const { schema } = schemaOf(
    {
      allOf: [{ $ref: '#/components/schemas/Base' }],
      properties: { id: { $ref: '#/components/schemas/Id' } },
      required: ['id', 'made', 'name'],
    },
    more,
  );
  assert.deepEqual(schema?.required, ['name']);
});

test('SchemaImporter: unsupported keywords are dropped with a note', () => {
  const cases: [given: object, expected: object, message: RegExp][] = [
    [{ type: 'file', maxLength: 1 }, { maxLength: 1 }, /type "file"/],
    [{ pattern: '(?=a)b', maxLength: 1 }, { maxLength: 1 }, /pattern that RE2 does not take/],
    [{ pattern: 'x'.repeat(501) }, {}, /pattern that RE2 does not take/],
    [{ minLength: -1 }, {}, /has a minLength that is none/],
    [{ minLength: '5' }, {}, /has a minLength that is none/],
    [{ enum: [] }, {}, /enum that is none/],
    [{ enum: [2 ** 60] }, {}, /enum that is none, or that JSON cannot hold exactly/],
    [{ multipleOf: 0 }, {}, /has a multipleOf that is none/],
    [{ type: 'array', uniqueItems: true }, { type: 'array' }, /has uniqueItems, which is not checked/],
    [{ if: {}, else: {} }, {}, /has if, which is not checked/],
    [{ items: 7 }, {}, /^$/],
    [{ properties: { a: 7 } }, { properties: { a: {} } }, /is not a schema; anything is taken/],
  ];
  for (const [given, expected, message] of cases) {
    const { schema, messages } = schemaOf(given);
    assert.deepEqual(schema, expected);
    assert.match(messages.find((one) => message.test(one)) ?? '', message);
  }
});

test('SchemaImporter: a dropped keyword never makes the rest stricter', () => {
  // Otherwise members would be refused that only the pattern, or another schema, allows.
  becomes({ patternProperties: { '(?=x)': {} }, additionalProperties: false }, {});
  becomes({ unevaluatedProperties: false, additionalProperties: false }, {});
  becomes({ not: { pattern: '(?=x)' } }, {});
  becomes({ not: { pattern: 'x' } }, { not: { pattern: 'x' } });
});

test('SchemaImporter: texts are shortened, other annotations dropped', () => {
  const { schema } = schemaOf({
    type: 'string',
    description: `${'long '.repeat(200)}`,
    example: 'a',
    default: 'x'.repeat(2_000),
    discriminator: { propertyName: 'type' },
    xml: {},
    externalDocs: {},
    'x-vendor': 1,
    $id: 'https://example.com/a',
  });
  assert.deepEqual(Object.keys(schema!), ['description', 'examples', 'type']);
  assert.equal((schema!.description as string).length, 500);
  assert.deepEqual(schema!.examples, ['a']);
});

test('SchemaImporter: siblings of $ref count from OpenAPI 3.1 on', () => {
  const beside = { $ref: '#/components/schemas/Pet', description: 'Mine.', maxProperties: 3 };
  const components = { schemas: { Pet: { type: 'object' } } };
  const described = { $ref: '#/schemas/Pet', description: 'Mine.' };
  assert.deepEqual(schemaOf(beside, { components }).schema, described);
  assert.deepEqual(schemaOf(beside, { components, openapi: '3.1.0' }).schema, { ...described, maxProperties: 3 });
});

test('SchemaImporter: referenced schemas only, under valid names', () => {
  const { schema, definition } = schemaOf(
    {
      properties: {
        a: { $ref: '#/components/schemas/A B' },
        b: { $ref: '#/components/schemas/A-B' },
        c: { $ref: '#/components/schemas/A%20B' },
        d: { $ref: '#/components/schemas/A-B/properties/deep~1er' },
        e: { $ref: '#/components/schemas/__proto__' },
      },
    },
    {
      components: {
        schemas: JSON.parse(`{
          "A B": {"title": "blank"},
          "A-B": {"properties": {"deep/er": {"title": "deeper"}}},
          "__proto__": {"title": "proto"},
          "Unused": {"$ref": "#/components/schemas/A B"}
        }`),
      },
    },
  );
  const references = Object.values(schema!.properties as Record<string, { $ref: string }>).map(({ $ref }) => $ref);
  assert.equal(references[0], references[2]);
  assert.equal(new Set(references).size, 4);
  const titles = references.map((reference) => definition.schemas![reference.replace('#/schemas/', '')]!.title);
  assert.deepEqual(titles, ['blank', undefined, 'blank', 'deeper', 'proto']);
  assert.equal(Object.keys(definition.schemas!).length, 4);
});

test('endlessReferences: circular parts without a step into the value are cut', () => {
  const part = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = {
    Tree: { properties: { left: part('Tree'), right: { anyOf: [part('Tree'), { type: 'null' }] } } },
    Loop: { allOf: [part('Other'), { type: 'object' }] },
    Other: { anyOf: [part('Loop'), part('Tree')] },
    Self: part('Self'),
  };
  const { definition, notes } = schemaOf(
    { properties: { a: part('Tree'), b: part('Loop'), c: part('Self') } },
    {
      components: { schemas },
    },
  );
  assert.deepEqual(definition.schemas, {
    Tree: {
      properties: {
        left: { $ref: '#/schemas/Tree' },
        right: { anyOf: [{ $ref: '#/schemas/Tree' }, { type: 'null' }] },
      },
    },
    Loop: { allOf: [{ $ref: '#/schemas/Other' }, { type: 'object' }] },
    Other: { anyOf: [{}, { $ref: '#/schemas/Tree' }] },
    Self: {},
  });
  const endless = notes.find(({ message }) => message.includes('without end'));
  assert.equal(endless?.more, 1);
});

test('endlessReferences: chains are cut after fifty references', () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, index) => [
      `s${index}`,
      { allOf: [{ $ref: `#/components/schemas/s${index + 1}` }] },
    ]),
  );
  const { definition } = schemaOf(
    { $ref: '#/components/schemas/s0' },
    {
      components: { schemas: { ...schemas, s3000: { type: 'object' } } },
    },
  );
  const lengthFrom = (name: string): number => {
    const next = (definition.schemas![name]!.allOf as { $ref?: string }[] | undefined)?.[0]?.$ref;
    return next === undefined ? 1 : 1 + lengthFrom(next.replace('#/schemas/', ''));
  };
  for (const name of Object.keys(definition.schemas!)) assert.ok(lengthFrom(name) <= 50, name);
});
