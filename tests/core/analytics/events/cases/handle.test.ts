import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import {
  casesQuestion,
  decodeHandle,
  encodeHandle,
  type HandleQuestion,
} from '../../../../../src/core/analytics/events/cases/handle.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';

const DAY = 86_400_000;
const MONDAY = Date.parse('2026-03-02T23:00:00Z');
const WEEK = { from: MONDAY, to: MONDAY + 7 * DAY };

test('Handles: those of everyday questions have at most 90 characters', () => {
  const filter = (propertyKey: string, operator: 'eq' | 'gt', value: string | number) => ({
    propertyKey,
    operator,
    value,
  });
  const everyday: Record<string, HandleQuestion> = {
    'a count': { events: [{ eventName: 'purchase_completed' }], ...WEEK },
    'of an agent until its last event': {
      events: [{ eventName: 'purchase_completed' }],
      agentId: 'support',
      from: MONDAY,
      to: 1_772_984_581_337,
    },
    'with a filter': {
      events: [{ eventName: 'ticket_opened' }],
      filters: [filter('plan', 'eq', 'pro')],
      ...WEEK,
    },
    'with two filters': {
      events: [{ eventName: 'order_paid' }],
      filters: [filter('plan', 'eq', 'pro'), filter('amount', 'gt', 100)],
      ...WEEK,
    },
    'of a formula': {
      events: [{ eventName: 'conversation_resolved' }, { eventName: 'conversation_started' }],
      ...WEEK,
    },
    'with a review': { events: [{ eventName: 'ticket_resolved' }], review: { rating: ['good'] }, ...WEEK },
  };
  for (const [name, cases] of Object.entries(everyday)) {
    const { length } = encodeHandle(cases)!;
    assert.ok(length <= 90, `${name}: ${length}`);
  }
});

const filters = fc.array(
  fc.oneof(
    fc.record({
      propertyKey: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((key) => key.isWellFormed()),
      operator: fc.constantFrom('eq' as const, 'gt' as const, 'startsWith' as const),
      value: fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
      ),
    }),
    fc.record({
      propertyKey: fc.constant('timestamp'),
      operator: fc.constant('gte' as const),
      value: fc.constant('-7d'),
    }),
  ),
  { maxLength: 4 },
);
const name = fc.string({ minLength: 1, maxLength: 50 });
const whole = fc.record(
  {
    events: fc.array(fc.record({ eventName: name, filters }, { requiredKeys: ['eventName'] }), {
      minLength: 1,
      maxLength: 4,
    }),
    filters,
    agentId: name,
    from: fc.integer({ min: -DAY, max: 2_000_000_000_000 }),
    to: fc.integer({ min: -DAY, max: 2_000_000_000_000 }),
    now: fc.integer({ min: 0, max: 2_000_000_000_000 }),
    timezone: fc.constantFrom('UTC', 'America/Los_Angeles'),
    segment: fc.record({
      name,
      by: name,
      conditions: fc.array(
        fc.record({ eventName: name, dateFrom: fc.constant('-30d') }, { requiredKeys: ['eventName'] }),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
    }),
  },
  { requiredKeys: ['events'] },
) as fc.Arbitrary<HandleQuestion>;

test('Handles: hold the question; time and zone only where a date is read', () => {
  fc.assert(
    fc.property(whole, (cases) => {
      const handle = encodeHandle(cases);
      if (handle === undefined) return;
      const { now, timezone, ...rest } = cases;
      const { now: heldNow, timezone: heldZone, ...held } = decodeHandle(handle, 'cases');
      // -0 is 0 in JSON.
      assert.deepEqual(held, JSON.parse(JSON.stringify(rest)));
      if (/"timestamp"|"segment"/.test(JSON.stringify(rest))) assert.deepEqual([heldNow, heldZone], [now, timezone]);
      else assert.deepEqual([heldNow, heldZone], [undefined, undefined]);
      assert.match(handle, /^[\w-]{1,2000}$/);
    }),
  );
});

test('Handles: a question without an agent is about all, whoever opens its handle', () => {
  assert.equal(casesQuestion({ events: [{ eventName: 'a' }] }).agentId, '*');
});

test('Handles: one changed, lost or added character is refused', () => {
  const handle = encodeHandle({ events: [{ eventName: 'purchase_completed' }], ...WEEK })!;
  const letter = fc.constantFrom(...'ABCXYZabcxyz019-_ .=/+');
  const at = fc.nat(handle.length - 1);
  const broken = fc.oneof(
    fc.tuple(at, letter).map(([index, one]) => handle.slice(0, index) + one + handle.slice(index + 1)),
    at.map((index) => handle.slice(0, index)),
    fc.tuple(at, letter).map(([index, one]) => handle.slice(0, index) + one + handle.slice(index)),
    fc.string(),
  );
  fc.assert(
    fc.property(broken, (text) => {
      fc.pre(text !== handle);
      assert.throws(() => decodeHandle(text, 'cases'), isRefusal);
    }),
    { numRuns: 1_000 },
  );
});

test('Handles: what no answer encodes is refused, however it is packed', () => {
  const event = { eventName: 'a' };
  const forged: unknown[] = [
    { events: [] },
    { events: [event], tenantId: 'other' },
    { events: [event], from: '2026-03-01' },
    { events: [event], from: 9e15 },
    { events: [event], filters: [{ propertyKey: 'a', operator: 'or 1=1', value: 1 }] },
    { events: [event], segment: { name: 's', by: 'a', conditions: [] } },
    { events: [event], segment: { name: 's', by: 'a', conditions: [{ eventName: 'a', atLeast: 0 }] } },
    { events: Array.from({ length: 21 }, () => event) },
  ];
  for (const cases of forged) {
    const handle = encodeHandle(cases as HandleQuestion);
    assert.throws(() => decodeHandle(handle!, 'cases'), isRefusal, JSON.stringify(cases));
  }
  const bomb = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), deflateRawSync(Buffer.alloc(1_000_000, ' '))]);
  assert.throws(() => decodeHandle(bomb.toString('base64url'), 'cases'), isRefusal);
});

test('Handles: a question of too many characters has none', () => {
  const value = Array.from({ length: 1_000 }, (_, index) => `value ${index * 7_919}`);
  const filter = { propertyKey: 'a', operator: 'in' as const, value };
  assert.equal(encodeHandle({ events: [{ eventName: 'a' }], filters: [filter] }), undefined);
});

test('Handles: of as many filters as may be it can be read, of more there is none', () => {
  const filtered = (count: number): HandleQuestion => {
    const filter = { propertyKey: 'a', operator: 'eq' as const, value: 1 };
    return { events: [{ eventName: 'a' }], filters: Array.from({ length: count }, () => filter) };
  };
  assert.equal(decodeHandle(encodeHandle(filtered(200))!, 'cases').filters?.length, 200);
  assert.equal(encodeHandle(filtered(201)), undefined);
});

function isRefusal(error: unknown): boolean {
  assert.ok(error instanceof RuntimeError);
  assert.equal(error.code, 'invalid');
  assert.match(error.message, /^cases: is not a handle, or not a whole one; send basis\.cases of an answer as it is$/);
  return true;
}
