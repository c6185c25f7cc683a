import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { assertError, CARDS, NUMBER } from './support.ts';

const MADE = Date.parse('2026-11-21T12:00:00Z');
const LATER = Date.parse('2027-01-03T12:00:00Z');

test('GET render: a card that expired says what to change, and works once changed', async (t) => {
  let now = MADE;
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => now });
  const cases = [
    { config: { dateTo: '2026-11-21' }, said: /config\.dateTo: lies before dateFrom/ },
    { config: { dateFrom: '2026-11-01', dateGrouping: 'hour' }, said: /config\.dateGrouping: .*1000 buckets.*use day/ },
  ];
  for (const { config, said } of cases) {
    now = MADE;
    const cardType = 'dateGrouping' in config ? 'line' : 'number';
    const made = await app.request('POST', CARDS, { ...NUMBER, cardType, config: { ...NUMBER.config, ...config } });
    const render = () => app.request('GET', `${CARDS}/${made.body.id}/render`);
    assert.equal((await render()).status, 200);
    now = LATER;
    const answer = await render();
    assertError(answer, 422, 'Unprocessable Entity');
    assert.match(answer.body.message, /cannot be answered any more; change it/);
    assert.match(answer.body.message, said);
    await app.request('PATCH', `${CARDS}/${made.body.id}`, { config: { ...NUMBER.config, dateFrom: '-7d' } });
    assert.equal((await render()).status, 200);
  }
});
