import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { aggregatePlan } from '../../../../src/core/analytics/events/query-plan.ts';
import { DuckdbEventStore } from '../../../../src/storage/events/duckdb/store.ts';
import { EVENTS_FILE } from '../../../../src/storage/installation/names.ts';
import { storedEvent } from '../../../contracts/event-store.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { storeOptions } from '../../../support/event-store.ts';

const SUM = aggregatePlan({
  selection: { agentId: null, eventNames: null, from: null, to: null, predicates: [] },
  groupBy: [],
  metrics: [{ aggregation: 'sum', field: { kind: 'property', paths: [['a']] } }],
});

test('Columns learned late by an earlier program: kept where filled, else retired', async (t) => {
  const directory = temporaryDirectory(t);
  const open = () => DuckdbEventStore.open(storeOptions(directory));
  const sumOf = async (store: DuckdbEventStore, tenantId: string) => (await store.query(tenantId, SUM)).rows[0]?.[0];
  const first = await open();
  for (const tenantId of ['filled', 'unfilled']) {
    await first.append(tenantId, [storedEvent({ id: '1', properties: '{"a":1}' })]);
    await first.append(tenantId, [storedEvent({ id: '2', properties: '{"a":2}' })]);
  }
  await first.close();
  const instance = await DuckDBInstance.create(join(directory, EVENTS_FILE));
  const connection = await instance.connect();
  // In the filled column stands another value than in the JSON, to show which one is read.
  await connection.run(`UPDATE tenants SET learned_all = false; UPDATE learned SET since = 2; UPDATE layout SET epoch = 2;
    UPDATE hot SET epoch = 2; UPDATE hot SET epoch = 1 WHERE id = '1' AND tenant IN
      (SELECT number FROM tenants WHERE tenant_id = 'unfilled');
    UPDATE hot SET integer_0 = 100 WHERE id = '1'`);
  connection.closeSync();
  instance.closeSync();
  for (const title of ['opened', 'opened again']) {
    const store = await open();
    assert.equal(await sumOf(store, 'filled'), 102, title);
    assert.equal(await sumOf(store, 'unfilled'), 3, title);
    await store.close();
  }
  const last = await open();
  t.after(() => last.close());
  for (const tenantId of ['filled', 'unfilled']) {
    await last.append(tenantId, [storedEvent({ id: '3', properties: '{"a":4,"b":1}' })]);
    await last.settle();
  }
  assert.equal(await sumOf(last, 'filled'), 106);
  assert.equal(await sumOf(last, 'unfilled'), 7);
});
