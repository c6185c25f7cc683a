import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOfDefinition } from '../support.ts';

const ofSchemas = (schemas: object, body: object = {}) =>
  problemsOfDefinition({ method: 'POST', parameters: { body } }, { schemas });

test('problemsOfSchemas: a $ref must name one of the schemas', () => {
  assert.deepEqual(ofSchemas({ Pet: { properties: { owner: { $ref: '#/schemas/Owner' } } } }), [
    'schemas.Pet.properties.owner.$ref: is not among the schemas',
  ]);
  assert.deepEqual(ofSchemas({}, { items: { $ref: '#/schemas/constructor' } }), [
    'resources.call.parameters.body.items.$ref: is not among the schemas',
  ]);
});

test('problemsOfSchemas: circular references need a step into the data', () => {
  const node = { properties: { next: { $ref: '#/schemas/Node' } }, items: { anyOf: [{ $ref: '#/schemas/Node' }] } };
  assert.deepEqual(ofSchemas({ Node: node, Names: { propertyNames: { $ref: '#/schemas/Names' } } }), []);
  const message = (chain: string) => [`schemas.A: refers to itself without a step into the data: ${chain}`];
  assert.deepEqual(ofSchemas({ A: { $ref: '#/schemas/A' } }), message('A -> A'));
  assert.deepEqual(ofSchemas({ A: { not: { $ref: '#/schemas/A' } } }), message('A -> A'));
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const schemas = { A: { [keyword]: [{}, { allOf: [{ $ref: '#/schemas/B' }] }] }, B: { $ref: '#/schemas/A' } };
    assert.deepEqual(ofSchemas(schemas), message('A -> B -> A'), keyword);
  }
});

test('problemsOfSchemas: chains of references are limited in any order', () => {
  const row = (length: number) =>
    Array.from({ length }, (_, index) => [
      `S${index}`,
      index === length - 1 ? {} : { $ref: `#/schemas/S${index + 1}` },
    ]);
  assert.deepEqual(ofSchemas(Object.fromEntries(row(50))), []);
  assert.match(ofSchemas(Object.fromEntries(row(3_000)))[0]!, /is one of more than 50 in a row/);
  assert.match(ofSchemas(Object.fromEntries(row(3_000).reverse()))[0]!, /is one of more than 50 in a row/);
});

test('problemsOfSchemas: patterns must be RE2', () => {
  for (const pattern of ['(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', '(a)\\1', '(', 'a{2000}']) {
    const message = 'is not a regular expression of RE2, which has no lookarounds and no backreferences';
    assert.deepEqual(ofSchemas({ A: { pattern } }), [`schemas.A.pattern: ${message}`], pattern);
    assert.deepEqual(ofSchemas({ A: { patternProperties: { [pattern]: {} } } }), [
      `schemas.A.patternProperties.${pattern}: ${message}`,
    ]);
  }
  assert.deepEqual(ofSchemas({ A: { pattern: 'a'.repeat(501) } }), [
    'schemas.A.pattern: must have at most 500 characters',
  ]);
});

test('problemsOfSchemas: schemas and patterns are limited', () => {
  const many = (length: number, one: (index: number) => object) => ({
    A: { allOf: Array.from({ length }, (_, index) => one(index)) },
  });
  assert.deepEqual(ofSchemas(many(49_990, () => ({}))), []);
  assert.match(ofSchemas(many(50_000, () => ({})))[0]!, /^schemas\.A: is with the others more than 50000 JSON Schemas/);
  assert.deepEqual(ofSchemas(many(1_000, () => ({ pattern: 'a'.repeat(400) }))), [], 'the same pattern counts once');
  const patterns = ofSchemas(many(200, (index) => ({ pattern: `${index}${'a'.repeat(400)}` })));
  assert.match(
    patterns[0]!,
    /pattern: is with the other patterns more than 50000 characters; make it several connectors$/,
  );
});

test('checkDefinition: a percent sign in a path begins an encoded character', () => {
  assert.deepEqual(problemsOfDefinition({ path: '/a%2{b}' }), [
    'resources.call.path: has a % that begins no encoded character; write %25',
  ]);
  assert.deepEqual(problemsOfDefinition({ path: '/a%2F{b}' }), []);
});
