import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { compiledPattern, MAX_STEPS, type Pattern } from '../../../../src/core/base/json-schema/evaluation.ts';
import { evaluationOf } from '../../../../src/core/base/json-schema/keywords.ts';
import type { JsonSchema } from '../../../../src/core/base/json-schema/values.ts';
import { formatPath } from '../../../../src/core/base/shared/issues.ts';
import { rareTest } from '../../../support/rare.ts';
import { messagesOf, problemsOfDefinition } from '../../agents/connectors/support.ts';

function evaluation(schemas: Record<string, JsonSchema> = {}, patternOf = (text: string) => compiledPattern(text)!) {
  return evaluationOf({ schemas, patternOf });
}

function problems(schema: JsonSchema, value: unknown, { asText = false, schemas = {} } = {}): string[] {
  const found = evaluation(schemas).problemsOf(schema, value, { path: ['data'], asText });
  return found.map(({ path, message }) => `${formatPath(path)}: ${message}`);
}

test('Evaluation: each keyword has a message with its path', () => {
  const cases: [JsonSchema, unknown, string[]][] = [
    [{ type: 'integer' }, 1.5, ['data: must be an integer']],
    [{ type: 'integer' }, 1, []],
    [{ type: ['string', 'null'] }, 1, ['data: must be a string or null']],
    [{ enum: ['a', 2, null, {}] }, 'b', ['data: must be one of a, 2, null, {...}']],
    [{ enum: [{ a: [1] }] }, { a: [1] }, []],
    [{ const: 5 }, '5', ['data: must be 5']],
    [{ properties: { a: { type: 'string' } } }, { a: 1, b: 2 }, ['data.a: must be a string']],
    [
      { properties: { limit: {} }, additionalProperties: false },
      { limt: 1 },
      ['data.limt: unknown member; did you mean limit?'],
    ],
    [
      { patternProperties: { '^x': { minimum: 3 } }, additionalProperties: { maximum: 1 } },
      { xa: 2, b: 2 },
      ['data.xa: must be at least 3', 'data.b: must be at most 1'],
    ],
    [{ propertyNames: { maxLength: 2 } }, { abc: 1 }, ['data.abc: as a name must have at most 2 characters']],
    [{ required: ['a', 'b'] }, { b: 1 }, ['data.a: is required']],
    [{ required: ['constructor'], properties: { toString: { type: 'null' } } }, {}, ['data.constructor: is required']],
    [
      JSON.parse('{"properties": {"__proto__": {"const": 1}}}'),
      JSON.parse('{"__proto__": 2}'),
      ['data.__proto__: must be 1'],
    ],
    [{ enum: [{}] }, { toString: '' }, ['data: must be one of {...}']],
    [{ minProperties: 1 }, {}, ['data: must have at least 1 members']],
    [{ maxProperties: 1 }, { a: 1, b: 1 }, ['data: must have at most 1 members']],
    [
      { prefixItems: [{ type: 'null' }], items: { type: 'string' } },
      [1, 2],
      ['data[0]: must be null', 'data[1]: must be a string'],
    ],
    [{ items: { items: { const: 1 } } }, [[1], [1, 2]], ['data[1][1]: must be 1']],
    [{ minItems: 2 }, [1], ['data: must have at least 2 items']],
    [{ maxItems: 0 }, [1], ['data: must have at most 0 items']],
    [{ minimum: 1, exclusiveMaximum: 1 }, 1, ['data: must be less than 1']],
    [{ exclusiveMinimum: 1 }, 1, ['data: must be more than 1']],
    [{ multipleOf: 0.01 }, 19.99, []],
    [{ multipleOf: 7 }, 10_000_000_001, ['data: must be a multiple of 7']],
    [{ minLength: 2 }, '😀', ['data: must have at least 2 characters']],
    [{ maxLength: 1 }, '😀', []],
    [{ pattern: '^\\d+$' }, '12a', ['data: must match the pattern ^\\d+$']],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, ['data: must be a string, or must be null']],
    [{ anyOf: [{ type: 'null' }, { required: ['a'] }] }, {}, ['data.a: is required']],
    [
      { oneOf: [{ minimum: 1 }, { maximum: 5 }] },
      3,
      ['data: has more than one of the forms of which it must have exactly one'],
    ],
    [{ oneOf: [{ minimum: 1 }, { maximum: -5 }] }, 3, []],
    [{ not: { type: 'string' } }, 'a', ['data: has the form that it must not have']],
    [{ items: false }, [1], ['data[0]: must be left out']],
    [{ format: 'email', default: 1, minLength: 9 }, 1, []],
  ];
  for (const [schema, value, expected] of cases) {
    assert.deepEqual(problems(schema, value), expected, JSON.stringify([schema, value]));
  }
});

test('Evaluation: text values are checked as text and not changed', () => {
  const asText = true;
  assert.deepEqual(problems({ type: 'integer', minimum: 5, enum: [5, 6] }, '5', { asText }), []);
  assert.deepEqual(problems({ type: 'string', minLength: 2 }, 5, { asText }), [
    'data: must have at least 2 characters',
  ]);
  assert.deepEqual(problems({ allOf: [{ type: 'integer' }, { maximum: 3 }] }, '4', { asText }), [
    'data: must be at most 3',
  ]);
  assert.deepEqual(problems({ items: { type: 'boolean' } }, ['true', false, 'yes'], { asText }), [
    'data[2]: must be a boolean',
  ]);
  for (const text of ['', ' 5', '5 ', '05', '0x5', '1_0', 'Infinity', '+5', '5n']) {
    assert.deepEqual(problems({ type: 'number' }, text, { asText }), ['data: must be a number'], text);
  }
  assert.deepEqual(problems({ type: 'integer' }, '5'), ['data: must be an integer']);
  const data = Object.freeze({ a: Object.freeze(['1']) });
  assert.deepEqual(problems({ properties: { a: { items: { type: 'integer' } } } }, data, { asText }), []);
});

test('Evaluation: reports at most 20 problems', () => {
  assert.equal(problems({ items: { type: 'string' } }, Array(1_000).fill(1)).length, 20);
  const forms = { anyOf: [{ required: Array.from({ length: 30 }, (_, index) => `a${index}`) }] };
  assert.equal(problems({ items: forms }, Array(1_000).fill({})).length, 20);
});

const scalar = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'b1', 'xyz'),
  fc.integer({ min: -3, max: 5 }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(0.5, 2.5),
);
// Without `__proto__`, `toString` and `constructor`, which ajv mishandles.
const name = fc.constantFrom('a', 'b', 'x1', 'hasOwnProperty');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: scalar },
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map(Object.fromEntries),
  ),
}));
const { schema } = fc.letrec<{ schema: JsonSchema; subschema: JsonSchema | boolean }>((tie) => {
  const byName = fc.array(fc.tuple(name, tie('subschema')), { maxLength: 2 }).map(Object.fromEntries);
  const list = fc.array(tie('subschema'), { minLength: 1, maxLength: 2 });
  const count = fc.nat(3);
  const types = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'];
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    ...{
      type: fc.oneof(fc.constantFrom(...types), fc.subarray(types, { minLength: 1 })),
      enum: fc.uniqueArray(value, {
        minLength: 1,
        maxLength: 3,
        comparator: (one, other) => JSON.stringify(one) === JSON.stringify(other),
      }),
      const: value,
    },
    ...{ properties: byName, additionalProperties: tie('subschema'), propertyNames: tie('subschema') },
    patternProperties: fc
      .array(fc.tuple(fc.constantFrom('^a', '\\d$', '_'), tie('subschema')), { maxLength: 2 })
      .map(Object.fromEntries),
    ...{ required: fc.uniqueArray(name, { maxLength: 2 }), minProperties: count, maxProperties: count },
    ...{ items: tie('subschema'), prefixItems: list, minItems: count, maxItems: count },
    ...{
      minimum: count,
      maximum: count,
      exclusiveMinimum: count,
      exclusiveMaximum: count,
      multipleOf: fc.constantFrom(1, 2, 0.5),
    },
    ...{ minLength: count, maxLength: count, pattern: fc.constantFrom('^a', 'b', '^[a-z]+\\d?$') },
    ...{
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: tie('subschema'),
      $ref: fc.constantFrom('#/schemas/Leaf', '#/schemas/Tree'),
    },
  };
  const some = fc.subarray(Object.keys(keywords), { maxLength: 4 });
  const chosen = some.chain((names) => fc.record(Object.fromEntries(names.map((one) => [one, keywords[one]!]))));
  return {
    schema: fc.oneof({ maxDepth: 3 }, fc.constant<JsonSchema>({ type: 'string' }), {
      weight: 4,
      arbitrary: chosen as fc.Arbitrary<JsonSchema>,
    }),
    subschema: fc.oneof({ maxDepth: 3 }, fc.boolean(), {
      weight: 3,
      arbitrary: tie('schema') as fc.Arbitrary<JsonSchema>,
    }),
  };
});

test('Evaluation: agrees with ajv on random schemas and values', () => {
  const schemas = {
    Leaf: { type: ['integer', 'string'], maxLength: 2 },
    Tree: { type: ['object', 'integer'], additionalProperties: { $ref: '#/schemas/Tree' }, maxProperties: 2 },
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  // Tracking what is evaluated makes ajv throw for some schemas with `anyOf: [true, ...]`; no keyword here needs it.
  ajv.opts.unevaluated = false;
  ajv.addSchema({ $id: 'definition', schemas });
  const valid = { true: 0, false: 0 };
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 1, maxLength: 5 }), (one, values) => {
      const other = ajv.compile(JSON.parse(JSON.stringify(one).replaceAll('"#/schemas/', '"definition#/schemas/')));
      for (const each of values) {
        const isValid = problems(one, each, { schemas }).length === 0;
        valid[`${isValid}`] += 1;
        assert.equal(isValid, other(each), JSON.stringify([one, each]));
      }
    }),
    { numRuns: 1_000 },
  );
  assert.ok(valid.true > 300 && valid.false > 300, JSON.stringify(valid));
});

/** RE2 needs some 50 nanoseconds per character and instruction here, a hundred times the usual. */
const SLOW = '([ab]*a[ab]{100}){2}[cd]$';

rareTest('Evaluation: no schema and value exceed the step limit', () => {
  const numbers = Array(500_000).fill(1);
  const members = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`k${index}`, 1]));
  const nested = (levels: number) => Array.from({ length: levels }).reduce((inner) => [inner], 1 as unknown);
  const text = 'ab'.repeat(2_000);
  const again = { items: { $ref: '#/schemas/A' } };
  const cases: [string, JsonSchema, unknown, Record<string, JsonSchema>?][] = [
    ['many schemas for each of many items', { items: { allOf: Array(20_000).fill({ minimum: 0 }) } }, numbers],
    [
      'many forms for each',
      { items: { oneOf: [...Array(5_000).fill({ type: 'string' }), { type: 'null' }, true] } },
      numbers,
    ],
    [
      'two ways at each level',
      { $ref: '#/schemas/A' },
      nested(60),
      { A: { anyOf: [{ type: 'array', ...again }, { type: 'array', minItems: 1, ...again }, { type: 'string' }] } },
    ],
    [
      'what is not, at each level',
      { $ref: '#/schemas/A' },
      nested(60),
      { A: { allOf: [{ not: again }, { not: again }, { not: { type: 'string' } }] } },
    ],
    ['many members again and again', { allOf: Array(5_000).fill({ minProperties: 1 }) }, members],
    ['many names', { allOf: Array(5_000).fill({ propertyNames: { minLength: 1 } }) }, members],
    ['a large value compared', { allOf: Array(5_000).fill({ const: numbers }) }, [...numbers]],
    ['a long text counted', { allOf: Array(50_000).fill({ minLength: 1 }) }, 'a'.repeat(1_000_000)],
    [
      'unknown members',
      { allOf: Array(5_000).fill({ anyOf: [{ additionalProperties: false, properties: members }, true] }) },
      { q: 1 },
    ],
    ['a slow pattern', { allOf: Array(5_000).fill({ pattern: SLOW }) }, text],
  ];
  for (const [what, schema, data, schemas] of cases) {
    // Patterns are counted separately: characters times instructions.
    let work = 0;
    const { size } = compiledPattern(SLOW)!;
    const patternOf = (): Pattern => {
      return {
        size,
        test: (one) => {
          work += one.length * size;
          return true;
        },
      };
    };
    const one = evaluation(schemas, patternOf);
    const run = () => one.problemsOf(schema, data, { path: ['data'], asText: false });
    assert.match(messagesOf(run).join(), /^data: takes too many steps/, what);
    assert.ok(work <= 4 * MAX_STEPS, `${what}: ${work}`);
  }
});

test('Evaluation: a megabyte of plain data stays within the step limit', () => {
  const item = {
    type: 'object',
    properties: {
      id: { type: 'integer', minimum: 1 },
      name: { type: 'string', maxLength: 80 },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['id', 'name'],
    additionalProperties: false,
  };
  const items = Array.from({ length: 16_000 }, (_, index) => ({
    id: index + 1,
    name: 'a name of some length',
    tags: ['one', 'two'],
  }));
  const megabyte = 1_000_000;
  assert.ok(JSON.stringify(items).length > megabyte);
  const one = evaluation({ Item: item });
  assert.deepEqual(one.problemsOf({ items: { $ref: '#/schemas/Item' } }, items, { path: [], asText: false }), []);
  assert.ok(one.stepsTaken < MAX_STEPS / 2, `${one.stepsTaken}`);
});

test('Evaluation: schemas too deep for the call stack are refused', () => {
  const row = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`S${index}`, { allOf: [{ $ref: `#/schemas/S${index + 1}` }] }]),
  );
  const one = evaluation({ ...row, S5000: {} } as Record<string, JsonSchema>);
  const run = () => one.problemsOf({ $ref: '#/schemas/S0' }, 1, { path: [], asText: false });
  assert.deepEqual(messagesOf(run), ["data: goes too deep into the resource's JSON Schemas; flatten it"]);
});

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
