import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitPaths, limitsFormOf, limitsOf } from '../../portal/src/limits/state.ts';
import { heldTo, limitsInWords } from '../../portal/src/limits/words.ts';
import { newFilter } from '../../portal/src/question/filters/filters.ts';
import { limitsSchema } from '../../src/core/access/limits/schema.ts';

const BRAZIL = { propertyKey: 'country', operator: 'eq', value: 'BR' } as const;
const ALL = limitsSchema.required().parse({
  agents: ['support', 'sales'],
  eventNames: ['order_paid'],
  filters: [BRAZIL],
  segment: 'loyal',
  vectorStores: ['docs'],
  connectors: ['pets'],
  models: ['gpt-5*'],
});

test('limits in words: every member is said', () => {
  assert.equal(limitsInWords({ agents: ['support'], filters: [BRAZIL] }), 'Only agent support; only country is BR');
  assert.equal(
    limitsInWords(ALL),
    'Only agents support, sales; only event order_paid; only country is BR; only segment loyal; only vector store docs; only connector pets; only model gpt-5*',
  );
  assert.equal(
    heldTo([{ agents: ['support'] }, { models: ['x'] }]),
    'You are held to a part of the tenant: only agent support; only model x.',
  );
});

test('limits form: it holds every member, and leaves empty ones out of the request', () => {
  assert.deepEqual(limitsOf(limitsFormOf(ALL)), ALL);
  assert.equal(limitsOf(limitsFormOf(null)), null);
  assert.deepEqual(limitsOf({ ...limitsFormOf(null), agents: [' support ', ''], models: [''] }), {
    agents: ['support'],
  });
  assert.deepEqual(limitPaths('').toSorted(), Object.keys(limitsSchema.shape).toSorted());
});

test('limits form: an incomplete filter is refused, not left out', () => {
  const form = { ...limitsFormOf({ agents: ['support'] }), filters: [{ ...newFilter(), propertyKey: 'country' }] };
  assert.throws(() => limitsOf(form), /needs a property and a value/);
});
