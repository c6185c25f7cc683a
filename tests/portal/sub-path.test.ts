import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { testApp } from '../support/app.ts';
import { openPage, rareBrowserTest } from '../support/browser.ts';
import { newUser } from '../support/people.ts';
import { logIn } from './support.ts';

const CARDS = '/api/v1/runtime/observability/dashboard-cards';
const PREFIX = '/tools/runtime';
const PASSWORD = 'correct horse battery staple';

async function startProxy(t: TestContext) {
  const proxy = { origin: '', url: '', target: '', outside: [] as string[] };
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (!path.startsWith(`${PREFIX}/`)) {
      proxy.outside.push(path);
      outgoing.writeHead(404).end();
      return;
    }
    const forwarded = {
      'x-forwarded-for': incoming.socket.remoteAddress ?? '',
      'x-forwarded-host': incoming.headers.host ?? '',
      'x-forwarded-proto': 'http',
      'x-forwarded-prefix': PREFIX,
    };
    const options = { method: incoming.method, headers: { ...incoming.headers, ...forwarded } };
    const passed = ask(proxy.target + path.slice(PREFIX.length), options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  proxy.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.url = proxy.origin + PREFIX;
  return proxy;
}

rareBrowserTest('Sub-path: behind a proxy the portal and the reference stay below their path', async (t) => {
  const proxy = await startProxy(t);
  const app = await testApp(t, { publicUrl: proxy.url, trustedProxies: '127.0.0.1' });
  proxy.target = app.url;
  await app.ingest([{ eventName: 'agent_replied', threadId: 't-1' }]);
  const config = { eventName: 'agent_replied', aggregation: 'count' };
  await app.request('POST', CARDS, { agentId: 'support', title: 'Replies', cardType: 'number', config });
  const { email } = await newUser(app, { password: PASSWORD, role: 'ADMIN' });
  const page = await openPage(t, { origin: proxy.origin, expected: /status of 401/ });
  await page.goto(`${proxy.url}/`);
  await page.waitForURL(`${proxy.url}/login`);
  await logIn(page, email, PASSWORD);
  await page.getByRole('region', { name: 'Replies' }).getByRole('img').waitFor();
  assert.equal(page.url(), `${proxy.url}/`);

  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByRole('listitem').getByRole('link', { name: 'agent_replied' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'agent_replied' });
  await drawer.waitFor();
  assert.ok(page.url().startsWith(`${proxy.url}/events?`));
  await page.reload();
  await drawer.getByRole('link', { name: 'Events "agent_replied" of this thread' }).click();
  await page.getByRole('region', { name: 'Rows', exact: true }).waitFor();
  const command = page.getByRole('region', { name: 'The command for a shell' });
  await page.getByRole('button', { name: 'REST' }).click();
  assert.ok((await command.innerText()).includes(`curl ${proxy.url}/api/`));

  await page.getByRole('link', { name: 'Connect' }).click();
  await page.getByRole('button', { name: 'Make a read key' }).click();
  await page.getByText('This is shown once.').waitFor();
  assert.ok((await page.getByRole('region', { name: 'Setup' }).innerText()).includes(`${proxy.url}/mcp `));
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await page.getByText('✓ Connected.').waitFor();

  await page.goto(`${proxy.url}/docs`);
  await page.getByRole('heading', { name: 'Agent Runtime API' }).waitFor();
  await page.goto(`${proxy.url}/connect?client=cursor`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await page.goto(`${proxy.url}/connect?client=cursor`);
  await logIn(page, email, PASSWORD);
  await page.getByRole('tab', { name: 'Cursor', selected: true }).waitFor();
  assert.equal(page.url(), `${proxy.url}/connect?client=cursor`);
  assert.deepEqual(proxy.outside, []);
});
