import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../../../src/http/app.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { linkTo, sharedTab, visit } from './support.ts';

const sharedApp = appOfThisFile({ rateLimit: 0 });
const UNKNOWN = '0190a5a0-0000-7000-8000-000000000000';

test('A link as a credential: no endpoint takes it', async () => {
  const app = await sharedApp();
  const { path } = await linkTo(app, await sharedTab(app));
  const secret = path.split('/').at(-1)!;
  const places: ((text: string) => Record<string, string>)[] = [
    (text) => ({ 'x-api-key': text }),
    (text) => ({ authorization: `Bearer ${text}` }),
    (text) => ({ authorization: `Basic ${btoa(`${text}:${text}`)}` }),
    (text) => ({ cookie: `ar_session=${text}`, 'sec-fetch-site': 'same-origin', 'x-requested-with': 'portal' }),
  ];
  const others = ['post /mcp', 'get /mcp', 'get /v1/models', 'get /api/v1/nothing'].map((one) => one.split(' '));
  const closed = routes.filter(({ access }) => access !== 'open').map(({ method, path: at }) => [method, at]);
  assert.ok(closed.length > 100);
  for (const [method, at] of [...closed, ...others]) {
    const target = app.url + at!.replaceAll(/:\w+/g, UNKNOWN);
    const url = `${target}?key=${secret}&token=${secret}&shared=${secret}`;
    const hasBody = method !== 'get';
    const ask = async (place: (typeof places)[number]) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json', ...place(secret) };
      return (await fetch(url, { method: method!.toUpperCase(), headers, ...(hasBody && { body: '{}' }) })).status;
    };
    for (const status of await Promise.all(places.map(ask))) {
      assert.ok(status === 401 || status === 404, `${method} ${at}: ${status}`);
    }
  }
});

test('A link as an id: no route takes its secret for anything', async () => {
  const app = await sharedApp();
  const { path } = await linkTo(app, await sharedTab(app));
  const secret = path.split('/').at(-1)!;
  for (const { method, path: at, access } of routes) {
    if (method !== 'get' || !at.includes(':') || at.startsWith('/shared/')) continue;
    const target = at.replaceAll(/:\w+/g, secret);
    const { status, text } = await visit(app, target, access === 'open' ? {} : { 'x-api-key': app.key });
    // Some lists of an unknown execution are empty, and no error.
    assert.ok(status < 500, `${at}: ${status}`);
    if (status < 400) assert.ok(!/Orders|Sales/.test(text), at);
  }
});

test('A link beside a session: it stays a link, and ends no session', async () => {
  const app = await sharedApp();
  const { path } = await linkTo(app, await sharedTab(app));
  const answer = await visit(app, `${path}.json`, { cookie: 'ar_session=wrong', 'sec-fetch-site': 'cross-site' });
  assert.deepEqual([answer.status, answer.headers.get('set-cookie')], [200, null]);
});
