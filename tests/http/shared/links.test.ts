import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../support/app.ts';

test('slice', async (t) => {
  const app = await testApp(t);
  await app.ingest([{ eventName: 'order', timestamp: new Date().toISOString(), properties: { amount: 3 } }]);
  const tab = (await app.request('POST', '/api/v1/runtime/observability/dashboard-tabs', { name: 'Sales' })).body.id;
  const card = await app.request('POST', '/api/v1/runtime/observability/dashboard-cards', {
    title: 'Orders', cardType: 'number', tabId: tab, config: { eventName: 'order', aggregation: 'count' },
  });
  assert.equal(card.status, 201);
  const made = await app.request('POST', `/api/v1/runtime/observability/dashboard-tabs/${tab}/links`, {});
  console.log(made.status, made.body);
  const { pathname } = new URL(made.body.url);
  const json = await fetch(`${app.url}${pathname}.json`);
  console.log(json.status, JSON.stringify(await json.json(), null, 1), [...json.headers]);
  const svg = await fetch(`${app.url}${pathname}.svg`);
  console.log(svg.status, (await svg.text()).slice(0, 300), [...svg.headers]);
  const png = await fetch(`${app.url}${pathname}.png`);
  console.log(png.status, (await png.arrayBuffer()).byteLength);
  console.log((await fetch(`${app.url}/shared/x.json`)).status, await (await fetch(`${app.url}/shared/x/y`)).text());
});
