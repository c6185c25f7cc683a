import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { EVENTS, temporaryDirectory } from '../../support/app.ts';
import { CONNECTORS, json, petsAt, startApi } from '../../support/outside-api.ts';
import {
  accepts,
  createKey,
  eventually,
  newDataDirectory,
  runProgram,
  type Server,
  startServer,
} from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runJson } from '../../support/shell.ts';

const GET = { resource: 'getPet', data: { petId: 1 } };

function fileOf(t: TestContext, definition: object): string {
  const path = join(temporaryDirectory(t), 'connectors.json');
  writeFileSync(path, JSON.stringify(definition));
  return path;
}

const soon = (what: string, ask: () => Promise<boolean>) => eventually(what, ask, 5_000);

rareTest('connectors apply: changes take effect in a running server', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const [server, one, other] = [await startServer(t, dataDir), await startApi(t), await startApi(t)];
  const ask = (body: object = GET) => server.request(key, 'POST', `${CONNECTORS}/pets`, body);
  assert.equal((await ask()).status, 404);
  await runJson(dataDir, 'connectors', 'apply', fileOf(t, petsAt(one.url)));
  await soon('applied', async () => (await ask()).status === 200);
  await runJson(dataDir, 'connectors', 'apply', fileOf(t, petsAt(other.url)));
  await soon('changed', async () => (await ask()) && other.asked.length > 0);
  const asked = one.asked.length;
  await ask();
  assert.equal(one.asked.length, asked, 'nobody goes back to the one before');
  const secured = petsAt(other.url, {
    environments: { production: { baseUrl: other.url, secret: { credential: 'main' } } },
    ...{ auth: { type: 'bearer' }, credentials: ['main'] },
  });
  await runJson(dataDir, 'connectors', 'apply', fileOf(t, secured));
  await soon('the credential is missing', async () => (await ask()).status === 503);
  for (const secret of ['the-first-secret', 'the-second-secret']) {
    const set = await runProgram(t, ['credentials', 'set', 'main', '--hosts', '127.0.0.1', '--data-dir', dataDir], {
      input: secret,
    });
    assert.equal(set.code, 0, set.stderr);
    const sent = () => other.asked.at(-1)!.headers.authorization === `Bearer ${secret}`;
    await soon(secret, async () => (await ask()).status === 200 && sent());
  }
  await runJson(dataDir, 'connectors', 'remove', 'pets');
  await soon('removed', async () => (await ask()).status === 404);
});

rareTest('connectors apply: concurrent changes of server and commands lose nothing', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const [server, api] = [await startServer(t, dataDir), await startApi(t)];
  const names = ['a', 'b'].map((who) => Array.from({ length: 25 }, (_, index) => `${who}-${index}`));
  const apply = async (slugs: string[]) => {
    for (const slug of slugs) {
      await runJson(dataDir, 'connectors', 'apply', fileOf(t, petsAt(api.url, { slug, name: slug })));
      await server.request(key, 'POST', `${CONNECTORS}/${slug}`, GET);
    }
  };
  const alone = async (slug: string) => {
    const args = ['connectors', 'apply', fileOf(t, petsAt(api.url, { slug, name: slug })), '--data-dir', dataDir];
    const { code, stderr } = await runProgram(t, args);
    assert.equal(code, 0, stderr);
  };
  const processes = Array.from({ length: 4 }, (_, index) => `process-${index}`);
  await Promise.all([...names.map(apply), ...processes.map(alone)]);
  const { connectors } = await runJson(dataDir, 'connectors', 'list');
  const slugs = (connectors as { slug: string }[]).map(({ slug }) => slug);
  assert.deepEqual(slugs.sort(), [...names.flat(), ...processes].sort());
  for (const slug of slugs) {
    const { status } = await server.request(key, 'POST', `${CONNECTORS}/${slug}`, GET);
    assert.equal(status, 200, slug);
  }
});

rareTest('serve: env secrets come from the server, a missing one is 503', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const api = await startApi(t);
  const environments = (name: string) => ({ production: { baseUrl: api.url, secret: { env: name } } });
  const definitions = ['PETS_KEY', 'NO_SUCH_KEY'].map((name) =>
    petsAt(api.url, {
      slug: name.toLowerCase().replaceAll('_', '-'),
      environments: environments(name),
      auth: { type: 'bearer' },
    }),
  );
  await runJson(dataDir, 'connectors', 'apply', fileOf(t, definitions));
  const server = await startServer(t, dataDir, { environment: { PETS_KEY: 'secret-of-the-server' } });
  const found = await server.request(key, 'POST', `${CONNECTORS}/pets-key`, GET);
  assert.deepEqual([found.status, found.body.data.headers.authorization], [200, 'Bearer [redacted]']);
  assert.equal(api.asked[0]?.headers.authorization, 'Bearer secret-of-the-server');
  const missing = await server.request(key, 'POST', `${CONNECTORS}/no-such-key`, GET);
  assert.equal(missing.status, 503);
  assert.match(missing.body.error, /NO_SUCH_KEY is not set/);
});

rareTest('serve: shutdown answers ending calls, cancels and records others', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const release = Promise.withResolvers<void>();
  let closed = 0;
  const api = await startApi(t, async (asked, response) => {
    response.once('close', () => {
      if (!response.writableFinished) closed += 1;
    });
    if (asked.url.endsWith('/2')) return;
    await release.promise;
    json(response, 200, {});
  });
  await runJson(dataDir, 'connectors', 'apply', fileOf(t, petsAt(api.url)));
  const server = await startServer(t, dataDir);
  const ask = (petId: number) =>
    server.request(key, 'POST', `${CONNECTORS}/pets`, { resource: 'getPet', data: { petId } });
  const ending = ask(1);
  const endless = ask(2).then(
    ({ status }) => status,
    () => 'no answer',
  );
  await eventually('both are under way', async () => api.asked.length === 2, 10_000);
  const stopped = server.end('SIGTERM');
  await eventually('nobody new is let in', async () => !(await accepts(server.url)), 5_000);
  release.resolve();
  assert.equal((await ending).status, 200);
  assert.ok([503, 'no answer'].includes(await endless));
  const { code, stderr } = await stopped;
  assert.equal(code, 0, stderr);
  assert.equal(closed, 1, 'the request to the API was ended');
  const again = await startServer(t, dataDir);
  for (const [outcome, status] of [
    ['executed', 200],
    ['failed', undefined],
  ] as const) {
    const rows = await eventRows(again, key, `runtime.connector_${outcome}`);
    assert.deepEqual(
      rows.map((row) => row.status),
      [status],
      outcome,
    );
  }
});

// biome-ignore lint/suspicious/noExplicitAny: a test looks into events of every shape
async function eventRows(server: Server, key: string, eventName: string): Promise<any[]> {
  return (await server.request(key, 'POST', `${EVENTS}/query`, { eventName })).body.rows;
}
