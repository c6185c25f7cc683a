import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';

test('realEffects.newId: UUIDv7, unique and sorted by creation', () => {
  const ids = Array.from({ length: 100_000 }, () => realEffects.newId());
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual([...ids].sort(), ids);
  for (const id of ids.slice(0, 100))
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const time = Number.parseInt(ids[0]!.replaceAll('-', '').slice(0, 12), 16);
  assert.ok(Math.abs(Date.now() - time) < 10_000);
});
