import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWN_TOOLS } from '../../src/core/agents/connectors/exposed.ts';
import { tools } from '../../src/tools/server.ts';
import { applyConnector, json, petsAt, startApi } from '../support/outside-api.ts';
import { tenantsOfThisFile } from '../support/shared.ts';

const newApp = tenantsOfThisFile();

type Pets = { resources: Record<string, object> };

/** The connector with all its resources exposed. */
function exposedPets(url: string): object {
  const { resources, ...rest } = petsAt(url) as Pets;
  const exposed = Object.entries(resources).map(([slug, one]) => [slug, { ...one, exposeAsTool: true }]);
  return { ...rest, resources: Object.fromEntries(exposed) };
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
const textOf = (result: any) => result.content[0].text as string;

test('connector tools: none may take the name of a built-in tool', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  const taken = tools.map(({ name }) => name);
  assert.deepEqual(taken, OWN_TOOLS);
  const slugs = Map.groupBy(taken, (name) => name.split('_')[0]!);
  for (const [slug, names] of slugs) {
    const exposed = { method: 'GET', path: '/', exposeAsTool: true };
    const resources = Object.fromEntries(names.map((name) => [name.slice(slug.length + 1), exposed]));
    await applyConnector(app, petsAt(api.url, { slug, resources }));
  }
  const names = (await (await app.mcpClient()).listTools()).tools.map(({ name }) => name);
  assert.deepEqual(names.toSorted(), [...taken, ...taken.map((name) => `${name}_2`)].toSorted());
});

test('connector tools: exposed ones are listed and called with both scopes', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  const client = await app.mcpClient();
  const before = (await client.listTools()).tools.map(({ name }) => name);
  await applyConnector(app, petsAt(api.url));
  assert.deepEqual(
    (await client.listTools()).tools.map(({ name }) => name),
    before,
    'off by default',
  );
  await applyConnector(app, exposedPets(api.url));
  const { tools } = await client.listTools();
  const added = tools.filter(({ name }) => !before.includes(name));
  assert.deepEqual(
    added.map(({ name }) => name),
    ['pets_getPet', 'pets_addPet', 'pets_listPets'],
  );
  assert.deepEqual(
    added.map(({ annotations }) => annotations),
    [
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    ],
  );
  assert.deepEqual(added[0]?.inputSchema, {
    type: 'object',
    properties: { petId: { type: 'integer' }, fields: { type: 'array', items: { type: 'string' } } },
    required: ['petId'],
    additionalProperties: false,
  });
  const result = await client.callTool({ name: 'pets_getPet', arguments: { petId: 7, fields: ['name'] } });
  const { success, data, metadata } = JSON.parse(textOf(result));
  assert.deepEqual([success, data.url, metadata.resource], [true, '/v1/pets/7?fields=name', 'getPet']);
});

test('connector tools: names that model vendors refuse are others, and mapped back', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  const query = { properties: { $select: { type: 'integer' }, 'filter[status]': { type: 'string' } } };
  const find = { method: 'GET', path: '/pets', parameters: { query }, exposeAsTool: true };
  await applyConnector(app, petsAt(api.url, { resources: { find } }));
  const client = await app.mcpClient();
  const tool = (await client.listTools()).tools.find(({ name }) => name === 'pets_find');
  assert.deepEqual(Object.keys(tool!.inputSchema.properties!), ['select', 'filter_status']);
  const called = await client.callTool({ name: 'pets_find', arguments: { select: 1, filter_status: 'new' } });
  assert.equal(JSON.parse(textOf(called)).data.url, '/v1/pets?%24select=1&filter%5Bstatus%5D=new');
  const wrong = await client.callTool({ name: 'pets_find', arguments: { select: 'x' } });
  assert.match(textOf(wrong), /\$select.*must be an integer/);
});

test('connector tools: a key that lacks a scope does not see them, and is told which', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  await applyConnector(app, exposedPets(api.url));
  const reading = await app.mcpClient(await app.newKey({ scopes: ['mcp:read'] }));
  assert.doesNotMatch(JSON.stringify(await reading.listTools()), /pets_/);
  const refused = await reading.callTool({ name: 'pets_listPets', arguments: {} });
  assert.equal(refused.isError, true);
  assert.match(textOf(refused), /insufficient_scope: .*connectors:execute/);
  const calling = await app.mcpClient(await app.newKey({ scopes: ['connectors:execute'] }));
  assert.doesNotMatch(JSON.stringify(await calling.listTools()), /pets_/);
  assert.equal(api.asked.length, 0);
});

test("connector tools: another tenant's tools are not listed", async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  await app.runtime.tenants.create({ name: 'other' });
  await applyConnector(app, exposedPets(api.url), 'other');
  assert.doesNotMatch(JSON.stringify(await (await app.mcpClient()).listTools()), /pets_/);
});

test('connector tools: a failure is an answer that a model can read and correct', async (t) => {
  const app = await newApp(t);
  const api = await startApi(t, (_, response) => json(response, 422, { message: 'the name is taken' }));
  await applyConnector(app, exposedPets(api.url));
  const client = await app.mcpClient();
  const wrong = await client.callTool({ name: 'pets_getPet', arguments: { petId: 'seven' } });
  assert.equal(wrong.isError, true);
  assert.match(textOf(wrong), /Invalid arguments.*petId: must be an integer/s);
  const refused = await client.callTool({ name: 'pets_addPet', arguments: { name: 'Rex' } });
  assert.equal(refused.isError, true);
  const { success, error, metadata } = JSON.parse(textOf(refused));
  assert.deepEqual([success, error], [false, '"pets" answered 422 Unprocessable Entity: the name is taken']);
  assert.deepEqual([metadata.status, metadata.retrySafe], [422, true]);
});

test('connector tools: a long answer is cut and says so', async (t) => {
  const app = await newApp(t);
  const api = await startApi(t, (_, response) => json(response, 200, 'x'.repeat(300_000)));
  await applyConnector(app, exposedPets(api.url));
  const result = await (await app.mcpClient()).callTool({ name: 'pets_listPets', arguments: {} });
  assert.ok(textOf(result).length < 101_000);
  assert.match(textOf(result), /\[cut: \d+ more characters; ask for less\]$/);
});
