import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestKeySchema } from '../../../../src/core/access/auth/schema.ts';
import { upsertCardSchema } from '../../../../src/core/analytics/dashboards/schema.ts';
import { ingestEventSchema } from '../../../../src/core/analytics/events/ingest-schema.ts';
import { aggregateEventsSchema } from '../../../../src/core/analytics/events/schema.ts';
import { agentToRead, agentToWrite } from '../../../../src/core/base/shared/agent.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { parse } from '../../../../src/core/base/shared/parse.ts';

const BOUND = { agentId: 'support' };
const UNBOUND = { agentId: null };

test("agentToRead: the named agent, else the credential's own, else all", () => {
  assert.equal(agentToRead(BOUND), 'support');
  assert.equal(agentToRead(UNBOUND), null);
  for (const caller of [BOUND, UNBOUND]) {
    assert.equal(agentToRead(caller, 'sales'), 'sales');
    assert.equal(agentToRead(caller, 'default'), 'default');
    assert.equal(agentToRead(caller, '*'), null);
    assert.equal(agentToRead(caller, null), null);
  }
  for (const name of ['**', '%', ' *', 'all', '']) assert.equal(agentToRead(BOUND, name), name);
});

test("agentToWrite: the named agent, else the credential's own, else `default`", () => {
  assert.equal(agentToWrite(BOUND), 'support');
  assert.equal(agentToWrite(UNBOUND), 'default');
  for (const caller of [BOUND, UNBOUND]) assert.equal(agentToWrite(caller, 'sales'), 'sales');
});

test('agentId: * is taken in questions and refused in what is written', () => {
  assert.equal(parse(aggregateEventsSchema, { eventName: 'a', aggregation: 'count', agentId: '*' }).agentId, '*');
  const card = { title: 'A', cardType: 'number', config: { eventName: 'a', aggregation: 'count' } };
  for (const [schema, input] of [
    [ingestEventSchema, { eventName: 'a', agentId: '*' }],
    [upsertCardSchema, { ...card, agentId: '*' }],
    [requestKeySchema, { label: 'a', scopes: ['*'], agentId: '*' }],
  ] as const) {
    assert.throws(
      () => parse(schema, input),
      (error: unknown) => error instanceof RuntimeError && /^agentId: "\*" means all agents/.test(error.messages[0]!),
    );
  }
});

test('agentId: null counts as left out, where null has no meaning', () => {
  assert.equal(
    parse(aggregateEventsSchema, { eventName: 'a', aggregation: 'count', agentId: null }).agentId,
    undefined,
  );
  assert.equal(parse(requestKeySchema, { label: 'a', scopes: ['*'], agentId: null }).agentId, null);
});
