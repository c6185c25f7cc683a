import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { changeUser, newPerson } from '../../../support/people.ts';
import { tenantsOfThisFile } from '../../../support/shared.ts';
import { CARDS, linkTo, made, read, sharedTab, TABS, visit } from './support.ts';

const tenantOf = tenantsOfThisFile({ rateLimit: 0, trustedProxies: '127.0.0.1' });

test('Links of a tab: made, listed without their address, and revoked once', async (t) => {
  const app = await tenantOf(t);
  const tab = await sharedTab(app);
  const answer = await app.request('POST', `${TABS}/${tab}/links`, {});
  assert.equal(answer.status, 201);
  const { success, url, ...shown } = answer.body;
  assert.match(url, /\/shared\/arl_[0-9A-Za-z]{43}$/);
  const days = (Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)) / 86_400_000;
  assert.deepEqual([success, shown.valid, shown.createdBy, shown.lastUsedAt, days], [true, true, 'test', null, 30]);
  const listed = await app.request('GET', `${TABS}/${tab}/links`);
  assert.deepEqual(listed.body, { success: true, total: 1, links: [shown], frameOrigins: [] });
  const link = { id: shown.id, path: new URL(url).pathname };
  assert.equal((await read(app, link)).status, 200);
  const { lastUsedAt } = (await app.request('GET', `${TABS}/${tab}/links`)).body.links[0];
  assert.notEqual(lastUsedAt, null);
  const revoke = () => app.request('DELETE', `${TABS}/${tab}/links/${link.id}`);
  assert.deepEqual([(await revoke()).status, (await revoke()).status], [204, 404]);
  assert.equal((await read(app, link)).status, 410);
  const asked = { action: 'tab.', limit: 10, offset: 0 };
  const { items } = await app.runtime.audit.entries({ ...app.caller, role: 'ADMIN' }, asked);
  assert.deepEqual(
    items.map(({ action, target, details }) => [action, target, details.link]),
    [
      ['tab.link_revoked', tab, link.id],
      ['tab.shared', tab, link.id],
    ],
  );
});

test('Links of a tab: an expiry is a time to come, or null for never', async (t) => {
  const app = await tenantOf(t);
  const tab = await sharedTab(app);
  const never = await made(app, `${TABS}/${tab}/links`, { expiresAt: null });
  const later = await made(app, `${TABS}/${tab}/links`, { expiresAt: '2999-01-01' });
  assert.deepEqual([never.expiresAt, later.expiresAt], [null, '2999-01-01T00:00:00.000Z']);
  for (const expiresAt of ['2020-01-01T00:00:00Z', 'soon', 5]) {
    const answer = await app.request('POST', `${TABS}/${tab}/links`, { expiresAt });
    assert.equal(answer.status, 400, String(expiresAt));
    assert.match(answer.body.message[0], /^expiresAt: /);
  }
});

test('Links of a tab: they need scopes, and a tab of the tenant', async (t) => {
  const app = await tenantOf(t);
  const tab = await sharedTab(app);
  const { id } = await linkTo(app, tab);
  const stranger = await tenantOf(t);
  const asked: [scope: 'dashboards:read' | 'dashboards:write', list: number][] = [
    ['dashboards:read', 403],
    ['dashboards:write', 200],
  ];
  for (const [scope, list] of asked) {
    const headers = { 'x-api-key': await app.newKey({ tenant: app.tenantId, scopes: [scope] }) };
    const ask = (method: string, path: string, body?: object) => app.request(method, path, body, headers);
    assert.equal((await ask('POST', `${TABS}/${tab}/links`, {})).status, 403, 'nobody shares what they cannot read');
    assert.equal((await ask('GET', `${TABS}/${tab}/links`)).status, list);
    if (scope === 'dashboards:read') assert.equal((await ask('DELETE', `${TABS}/${tab}/links/${id}`)).status, 403);
  }
  assert.equal((await stranger.request('POST', `${TABS}/${tab}/links`, {})).status, 403);
  assert.equal((await stranger.request('GET', `${TABS}/${tab}/links`)).status, 403);
  const theirs = await sharedTab(stranger);
  assert.equal((await stranger.request('DELETE', `${TABS}/${theirs}/links/${id}`)).status, 404);
  const other = (await made(app, TABS, { name: 'Other' })).id;
  assert.equal((await app.request('DELETE', `${TABS}/${other}/links/${id}`)).status, 404);
  assert.equal((await app.request('GET', `${TABS}/${tab}/links`)).body.total, 1);
});

test('Shared tab: unknown, revoked, expired and orphaned links have one answer', async (t) => {
  let now = Date.now();
  const settings = { rateLimit: 0, trustedProxies: '127.0.0.1' };
  const app = await testApp(t, settings, { ...realEffects, now: () => now });
  const [tab, deleted] = [await sharedTab(app), (await made(app, TABS, { name: 'Deleted' })).id];
  const [ada, eve] = [await newPerson(app, { role: 'ADMIN' }), await newPerson(app, { role: 'ADMIN' })];
  const links = {
    revoked: await linkTo(app, tab),
    expired: await linkTo(app, tab, { expiresAt: new Date(now + 60_000).toISOString() }),
    deleted: await linkTo(app, deleted),
    left: await linkTo(ada, tab),
    demoted: await linkTo(eve, tab),
    unknown: { id: '', path: `/shared/arl_${'x'.repeat(43)}` },
    guessed: { id: '', path: '/shared/1' },
  };
  const kept = await linkTo(app, tab);
  await app.request('DELETE', `${TABS}/${tab}/links/${links.revoked.id}`);
  await app.request('DELETE', `${TABS}/${deleted}`);
  await changeUser(app, ada.user.id, { isActive: false });
  await changeUser(app, eve.user.id, { role: 'USER' });
  now += 60_000;
  const answers = new Set<string>();
  for (const [name, { path }] of Object.entries(links)) {
    for (const suffix of ['', '.json', '.svg', '.png']) {
      const { status, text } = await visit(app, path + suffix, { 'x-forwarded-for': `203.0.113.${answers.size + 1}` });
      assert.equal(status, 410, `${name}${suffix}`);
      answers.add(`${suffix || 'page'} ${text}`);
    }
  }
  assert.equal(answers.size, 4, [...answers].join('\n'));
  const listed = (await app.request('GET', `${TABS}/${tab}/links`)).body.links;
  assert.deepEqual(
    listed.filter(({ valid }: { valid: boolean }) => valid).map(({ id }: { id: string }) => id),
    [kept.id],
  );
  assert.equal((await read(app, kept)).status, 200);
  await changeUser(app, ada.user.id, { isActive: true });
  assert.equal((await read(app, links.left)).status, 200, 'their maker is back');
});

test('Shared tab: a link keeps the limits of its maker, and shows no card beyond', async (t) => {
  const app = await tenantOf(t);
  const tab = await sharedTab(app);
  await app.ingest([{ eventName: 'secret', timestamp: new Date().toISOString() }]);
  const config = { eventName: 'secret', aggregation: 'count' };
  await made(app, CARDS, { title: 'Secrets', cardType: 'number', tabId: tab, config });
  const filters = [{ propertyKey: 'plan', operator: 'eq' as const, value: 'pro' }];
  const key = await app.newKey({ tenant: app.tenantId, limits: { eventNames: ['order'], filters } });
  const held = {
    request: (method: string, path: string, body?: unknown) => app.request(method, path, body, { 'x-api-key': key }),
  };
  const [whole, within] = [await linkTo(app, tab), await linkTo(held as typeof app, tab)];
  const values = async (link: typeof whole) => {
    const { cards } = (await read(app, link)).body;
    return cards.map(({ title, answer }: { title: string; answer: { data: object } }) => [
      title,
      'value' in answer.data ? answer.data.value : (answer.data as { total: number }).total,
    ]);
  };
  const all = [
    ['Orders', 7],
    ['All', 2],
  ];
  assert.deepEqual(await values(whole), [...all, ['Secrets', 1]]);
  assert.deepEqual(await values(within), [
    ['Orders', 3],
    ['All', 1],
  ]);
  assert.equal((await held.request('GET', `${TABS}/${tab}/links`)).body.total, 1);
  assert.equal((await held.request('DELETE', `${TABS}/${tab}/links/${whole.id}`)).status, 404);
});

test('Shared tab: what is revoked while it is rendered is not answered', async (t) => {
  const app = await tenantOf(t);
  const tab = await sharedTab(app);
  for (const suffix of ['json', 'svg', 'png']) {
    const link = await linkTo(app, tab);
    const { eventStore } = app.runtime;
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: revoked, resolve: go } = Promise.withResolvers<void>();
    const query = eventStore.query.bind(eventStore);
    t.mock.method(eventStore, 'query', async (...asked: Parameters<typeof query>) => {
      begin();
      await revoked;
      return query(...asked);
    });
    const answer = visit(app, `${link.path}.${suffix}`);
    await begun;
    await app.request('DELETE', `${TABS}/${tab}/links/${link.id}`);
    go();
    assert.equal((await answer).status, 410, suffix);
    t.mock.restoreAll();
  }
});
