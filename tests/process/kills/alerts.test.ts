import { rareTest } from '../../support/rare.ts';
import { KILL_POINTS } from './alerts-clock.ts';
import { alertsSurviveKills } from './alerts-cycles.ts';

rareTest('serve: twenty kills lose and repeat no message of an alert', async (t) => {
  const random = Array.from({ length: 20 - 2 * KILL_POINTS.length }, () => Math.random() * 1_500);
  await alertsSurviveKills(t, [...KILL_POINTS, ...random, ...KILL_POINTS]);
});
