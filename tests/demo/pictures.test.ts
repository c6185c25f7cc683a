import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardSvg, summaryOf } from '../../src/charts/card.ts';
import { PALETTES } from '../../src/charts/palette.ts';
import { CARD_TYPES } from '../../src/core/analytics/dashboards/config-schema.ts';
import { assertGoldenSvg } from '../charts/generated.test.ts';
import { demoApp } from '../support/demo.ts';

test('cardSvg: the cards of the demo, of all types', async (t) => {
  const { runtime, caller } = await demoApp(t);
  const cards = await runtime.dashboards.cards(caller, {});
  const types = new Set(cards.map(({ cardType }) => cardType));
  assert.deepEqual(types, new Set(CARD_TYPES));
  for (const { id, cardType } of cards) {
    const { notes: _, ...rendered } = await runtime.dashboards.render(caller, id, 'dashboards:read');
    const svg = cardSvg(rendered, { width: 640, height: 360, palette: PALETTES.light, locale: 'en' });
    assertGoldenSvg(`demo-${cardType}`, svg);
    assert.match(summaryOf(rendered, 'en'), /\d.*\.$/, cardType);
  }
});
