import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ColumnSlots } from '../../../../src/storage/events/shared/columns.ts';
import { KnownTenant, KnownTenants } from '../../../../src/storage/events/shared/tenants.ts';

type Columns = ColumnSlots<'text'>;

class Tenants extends KnownTenants<Columns> {
  load(tenantIds: string[]): string[] {
    const missing = this.missing(tenantIds);
    for (const id of missing) this.known.set(id, new KnownTenant(id, 1, new ColumnSlots({ text: 1 })));
    return missing;
  }
}

test('KnownTenants: beyond a number only those of the next flush are kept', () => {
  const tenants = new Tenants();
  const many = Array.from({ length: 10_000 }, (_, index) => `tenant ${index}`);
  assert.equal(tenants.load(many).length, 10_000);
  const kept = tenants.tenant('tenant 7');
  assert.deepEqual(tenants.load(['tenant 7', 'new']), ['new']);
  assert.equal(tenants.tenant('tenant 7'), kept);
  assert.throws(() => tenants.tenant('tenant 8'));
});

test('KnownTenants: a tenant with very many keys makes others leave, and stays', () => {
  const tenants = new Tenants();
  tenants.load(['large', 'small']);
  const large = tenants.tenant('large');
  for (let name = 0; name < 300; name++) {
    const names = large.eventNames('support', `name ${name}`)!;
    for (let key = 0; key < 1_000; key++) names.note({ path: [`${key}`], pointer: `/${key}` }, 1);
  }
  tenants.load(['large']);
  assert.equal(tenants.tenant('large'), large);
  assert.throws(() => tenants.tenant('small'));
});

test('ColumnSlots: a slot is never given twice, also after a restart', () => {
  const slots = new ColumnSlots({ text: 3, number: 1 });
  assert.deepEqual([slots.claim('/a', 'text'), slots.claim('/b', 'text'), slots.claim('/a', 'text')], [0, 1, 0]);
  const restored = new ColumnSlots({ text: 3, number: 1 });
  restored.restore('/b', 'text', 1);
  restored.restore(null, 'text', 0);
  assert.deepEqual([restored.claim('/c', 'text'), restored.claim('/d', 'text')], [2, null]);
  assert.deepEqual([restored.slot('/b', 'text'), restored.isFull('text'), restored.isFull('number')], [1, true, false]);
});
