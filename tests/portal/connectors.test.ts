import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { type TestApp, testApp } from '../support/app.ts';
import { browserTest } from '../support/browser.ts';
import { connector } from '../support/connectors.ts';
import { json, startApi } from '../support/outside-api.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits, fill } from './support.ts';

const SECRET = 'the-secret-itself';

const documentOf = (url: string, paths: object) =>
  JSON.stringify({ openapi: '3.0.3', info: { title: 'Pet store', version: '1' }, servers: [{ url }], paths });

const PETS = {
  '/pets/{petId}': {
    get: {
      operationId: 'getPet',
      summary: 'One pet.',
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
      responses: { 200: { description: 'The pet.' } },
    },
  },
};

/** What a client of the official SDK gets from a tool, with a new key. */
async function calledOverMcp(app: TestApp, name: string, input: Record<string, unknown>): Promise<string> {
  const key = await app.newKey({ scopes: ['mcp:read', 'connectors:execute'] });
  const client = new Client({ name: 'newcomer', version: '1' });
  const requestInit = { headers: { 'x-api-key': key } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit }));
  try {
    assert.ok((await client.listTools()).tools.some((tool) => tool.name === name));
    const { content } = await client.callTool({ name, arguments: input });
    return JSON.stringify(content);
  } finally {
    await client.close();
  }
}

const view = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the connector' }).getByRole('link', { name });

browserTest('Connectors: a newcomer makes an OpenAPI document a tool that an MCP client calls', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const api = await startApi(t, ({ headers }, response) =>
    json(response, 200, { name: 'Rex', echo: headers.authorization ?? null }),
  );
  const page = await portalPage(t, app, { path: '/connectors', expected: /400/ });
  await page.getByRole('heading', { name: 'No connector yet' }).waitFor();
  await assertFits(page);
  await page.getByRole('link', { name: 'Import an OpenAPI document' }).click();
  const show = page.getByRole('button', { name: 'Show what it makes' });
  await fill(page, 'Slug', 'pets');
  await fill(page, 'OpenAPI document', 'openapi: 3.0.3\ninfo: {title: A}\n  paths: x');
  await show.click();
  await page.getByText(/document:3/).waitFor();
  await fill(page, 'OpenAPI document', documentOf('https://pets.example.com/v1', PETS));
  await show.click();
  await page.getByRole('heading', { name: '1 call of Pet store' }).waitFor();
  await page
    .getByRole('list', { name: 'Notes' })
    .getByText(/has no securitySchemes/)
    .waitFor();
  await assertFits(page);
  assert.equal((await app.runtime.connectors.list(app.tenantId)).length, 0, 'a preview stores nothing');
  await page.getByRole('button', { name: 'Create connector' }).click();
  await announced(page, 'The connector was imported');

  await view(page, 'Tools of agents').click();
  const current = page.getByRole('navigation', { name: 'Parts of the connector' }).locator('[aria-current="page"]');
  assert.deepEqual(await current.allTextContents(), ['Tools of agents']);
  await page.getByRole('checkbox', { name: 'getPet' }).press('Space');
  await announced(page, 'getPet is a tool now');
  await page.getByText('pets_getPet as a model reads it').click();
  await page.getByText('"petId"').first().waitFor();
  await assertFits(page);

  // The API of this test is in a private network, which the operator alone may allow.
  const { createdAt: _, updatedAt: __, ...definition } = await app.runtime.connectors.get(app.tenantId, 'pets');
  const environments = { production: { ...definition.environments.production, baseUrl: `${api.url}/v1` } };
  const local = { ...definition, environments, allowPrivateNetworks: ['127.0.0.0/8'] };
  await app.runtime.connectors.apply(app.tenantId, local, null);
  await view(page, 'Try a call').click();
  await fill(page, 'petId', '7');
  await page.getByRole('button', { name: 'Call the API' }).click();
  await page.getByText('The API answered.').waitFor();
  await page.getByText(`GET ${api.url}/v1/pets/7`).waitFor();
  await page.getByText('"name": "Rex"').waitFor();
  await assertFits(page);
  assert.match(await calledOverMcp(app, 'pets_getPet', { petId: 8 }), /Rex/);
  assert.equal(api.asked.at(-1)!.url, '/v1/pets/8');

  await page.getByRole('link', { name: 'Import again' }).click();
  await fill(
    page,
    'OpenAPI document',
    documentOf('https://pets.example.com', { '/owners': { get: { responses: {} } } }),
  );
  await show.click();
  const changes = page.getByRole('list', { name: 'Changes' });
  await changes.getByText('Calls of it will get 404.').waitFor();
  await changes.getByText('Added').waitFor();
});

browserTest('Connectors: fields and JSON edit one definition; errors stand at their lines', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await app.runtime.credentials.set(app.tenantId, { name: 'pets', secret: SECRET, hosts: ['pets.example.com'] }, null);
  const page = await portalPage(t, app, { path: '/connectors/new_connector', expected: /400|412/ });
  const text = page.getByLabel('Definition as JSON');
  const save = page.getByRole('button', { name: 'Create connector' });
  await fill(page, 'Name', 'Pet store');
  assert.match(await text.inputValue(), /"name": "Pet store"/);
  await page.getByLabel('Authentication').selectOption('Bearer token');
  await page.getByLabel('Credential', { exact: true }).selectOption('pets');
  const draft = JSON.parse(await text.inputValue());
  assert.deepEqual([draft.credentials, draft.auth], [['pets'], { type: 'bearer' }]);

  await text.fill('{\n  "name": "Pets",\n}');
  await page.getByRole('button', { name: /^Line 3: / }).press('Enter');
  assert.equal(await page.evaluate('document.activeElement.selectionStart'), 20, 'the cursor is at that line');
  assert.ok(await page.getByLabel('Name', { exact: true }).isDisabled());
  await assertFits(page);

  const environments = { production: { baseUrl: 'ftp://pets.example.com', secret: { credential: 'pets' } } };
  const whole = { ...draft, slug: 'pets', name: 'Pets', environments, retry: { attempts: 2 }, oddity: 1 };
  await text.fill(JSON.stringify(whole, null, 2));
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Pets');
  await save.click();
  const line =
    JSON.stringify(whole, null, 2)
      .split('\n')
      .findIndex((one) => one.includes('oddity')) + 1;
  await page.getByRole('button', { name: new RegExp(`^Line ${line}: oddity: unknown member`) }).waitFor();
  await page.getByLabel('Production address').and(page.locator('[aria-invalid="true"]')).waitFor();
  await text.fill(JSON.stringify({ ...whole, oddity: undefined }, null, 2));
  await fill(page, 'Production address', 'https://pets.example.com');
  await save.click();
  await announced(page, 'The connector was created');
  const [stored] = await app.runtime.connectors.list(app.tenantId);
  assert.deepEqual([stored!.retry.attempts, stored!.name], [2, 'Pets'], 'members without a field stay');

  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await fill(page, 'Description', 'Mine');
  const { createdAt: _, updatedAt: __, ...definition } = stored!;
  await app.runtime.connectors.apply(app.tenantId, { ...definition, name: 'Theirs' }, null);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('Somebody else has changed this since you opened it.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await announced(page, 'The connector was saved');
  const merged = await app.runtime.connectors.get(app.tenantId, 'pets');
  assert.deepEqual([merged.name, merged.description], ['Theirs', 'Mine']);
  assert.ok(!(await page.content()).includes(SECRET));
});

browserTest('Connectors: an example works at once; one is deleted by its typed name', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const viewport = { width: 320, height: 640 };
  const page = await portalPage(t, app, { path: '/connectors', viewport });
  await page.getByRole('button', { name: 'Make an example' }).press('Enter');
  await announced(page, 'The example was made');
  await fill(page, 'owner', 'expressjs');
  await fill(page, 'repo', 'express');
  await page.getByRole('button', { name: 'Use the mock' }).press('Enter');
  await page.getByText('The mock answered.').waitFor();
  await page.getByRole('heading', { name: 'What would be sent' }).waitFor();
  await assertFits(page);
  await view(page, 'Health').click();
  await page.getByText('Calls are made.').waitFor();
  await page.getByText('No call has failed in this time.').waitFor();
  await assertFits(page);
  await view(page, 'Resources').click();
  await page.getByRole('link', { name: 'get-repository' }).waitFor();
  await assertFits(page);
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete github?' });
  await dialog.getByLabel('Type github to go on').fill('github');
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByRole('heading', { name: 'No connector yet' }).waitFor();
});

browserTest('Connectors: the list is searched, secrets stay out, others read why they see none', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const { runtime, tenantId } = app;
  const api = await startApi(t, ({ headers }, response) => json(response, 500, { message: `no ${headers['x-key']}` }));
  await runtime.credentials.set(tenantId, { name: 'keys', secret: SECRET, hosts: ['127.0.0.1'] }, null);
  const auth = { type: 'apiKey', in: 'header', name: 'x-key' };
  const environments = { production: { baseUrl: api.url, secret: { credential: 'keys' } } };
  const local = { slug: 'local', name: 'Local', auth, credentials: ['keys'], environments };
  const networks = { allowPrivateNetworks: ['127.0.0.0/8'], retry: { attempts: 1 } };
  await runtime.connectors.apply(tenantId, [connector(), connector({ ...local, ...networks })], null);
  const page = await portalPage(t, app, { path: '/connectors/local?view=try' });
  await page.getByRole('button', { name: 'Call the API' }).click();
  await page.getByRole('alert').getByText('The API answered 500.').waitFor();
  await page.getByText('x-key: [secret]').waitFor();
  assert.ok(!(await page.content()).includes(SECRET));
  assert.equal(api.asked.at(-1)!.headers['x-key'], SECRET);
  await view(page, 'Health').click();
  await page.getByRole('link', { name: 'runtime.connector_failed' }).click();
  await page
    .getByRole('dialog')
    .getByText(/answered 500/)
    .first()
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.goto(`${app.url}/connectors`);
  await page.getByText('1 failed call').waitFor();
  await page.getByLabel('Search connectors by name, host or credential').fill('pets.example');
  await page.getByRole('link', { name: 'Local' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Pet store' }).waitFor();
  assert.match(page.url(), /search=pets\.example/);

  const viewer = await portalPage(t, app, { path: '/connectors', role: 'VIEWER' });
  await viewer.getByText('Only administrators see connectors.').waitFor();
});
