import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastUses } from '../../../../src/core/base/shared/last-uses.ts';

test('LastUses: writes once a minute, also after the clock was set back', async () => {
  const uses = new LastUses();
  const start = Date.parse('2026-03-01T12:00:00Z');
  const written: number[] = [];
  for (const seconds of [0, 59, 60, -3_600, -3_550]) {
    const now = start + seconds * 1_000;
    await uses.record('key', now, async () => void written.push(seconds));
  }
  assert.deepEqual(written, [0, 60, -3_600]);
});
