import { test } from 'node:test';
import { type KillPoint, rotationSurvivesKills } from './rotation-kills.ts';

test('SealingRotation: killed at twenty points, every secret opens', async (t) => {
  const shares = Array.from({ length: 17 }, (_, index) => (index + 1) / 18);
  const points: KillPoint[] = ['at its start', 'at its start', 'with its key on disk', ...shares];
  await rotationSurvivesKills(t, 2_000, points);
});
