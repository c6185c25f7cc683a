import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS, temporaryDirectory } from '../../support/app.ts';
import { CONNECTORS, json, petsAt, startApi } from '../../support/outside-api.ts';
import { createKey, eventually, newDataDirectory, readyUrl, runProgram, startProgram } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runJson } from '../../support/shell.ts';
import { searchFor } from '../secrets.ts';

/*
 * The APIs and the token endpoint echo every secret in every kind of answer. The test searches all
 * answers, logs and files of the server for the secrets.
 */

const SECRETS = {
  stored: 'stored-s3cret/4f9a8b7c+6d5e==',
  header: 'header-s3cret/a1b2c3d4+e5f6==',
  client: 'client-s3cret:0f1e2d3c/4b5a 6978',
  environment: 'variable-s3cret/99aabbcc+ddee==',
  token: 'token-s3cret/7f6e5d4c+3b2a1908==',
};
/** The start of each secret, to find it even when cut. */
const TELLING = Object.values(SECRETS).map((secret) => secret.slice(0, 13));
const WRITTEN = [...TELLING, ...TELLING.map((start) => Buffer.from(start).toString('base64').slice(0, 16))];
const { assertWithoutSecrets, assertKeepsNone } = searchFor(WRITTEN);

const STATUSES = [200, 302, 400, 401, 404, 422, 500, 503];

rareTest('serve: no secret of a connector is in answers, logs, events or files', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const endpoint = await startApi(t, (asked, response) => {
    if (asked.url.startsWith('/refuse')) return json(response, 401, { error: 'no', error_description: asked.body });
    return json(response, 200, { access_token: SECRETS.token, expires_in: 60 });
  });
  const api = await startApi(t, (asked, response) => {
    const [, status = '200'] = /status=(\d+)/.exec(asked.url) ?? [];
    const quoted = `${asked.url} ${JSON.stringify(asked.headers)}`;
    if (asked.url.includes('as=text')) return response.writeHead(Number(status)).end(quoted);
    return json(response, Number(status), { message: quoted, headers: asked.headers, url: asked.url });
  });
  const at = (tokenPath: string) => `${endpoint.url}${tokenPath}`;
  const auths: Record<string, [object, object]> = {
    bearer: [{ type: 'bearer' }, { credential: 'stored' }],
    basic: [{ type: 'basic', username: 'ana' }, { credential: 'stored' }],
    header: [{ type: 'apiKey', in: 'header', name: 'x-key', prefix: 'Token' }, { credential: 'stored' }],
    query: [{ type: 'apiKey', in: 'query', name: 'api_key' }, { credential: 'stored' }],
    variable: [{ type: 'bearer' }, { env: 'PETS_KEY' }],
    oauth: [{ type: 'oauth2', tokenUrl: at('/token'), clientId: 'me' }, { credential: 'client' }],
    'oauth-body': [
      { type: 'oauth2', tokenUrl: at('/refuse'), clientId: 'me', clientAuthentication: 'body' },
      { credential: 'client' },
    ],
  };
  const definitions = Object.entries(auths).map(([slug, [auth, secret]]) =>
    petsAt(api.url, {
      ...{ slug, name: slug, auth, credentials: ['stored', 'header', 'client'], retry: { attempts: 1 } },
      environments: { production: { baseUrl: api.url, secret } },
      headers: { 'x-secret-header': { credential: 'header' } },
      resources: { read: { method: 'GET', path: '/read' } },
    }),
  );
  const file = join(temporaryDirectory(t), 'connectors.json');
  writeFileSync(file, JSON.stringify(definitions));
  await runJson(dataDir, 'connectors', 'apply', file);
  for (const name of ['stored', 'header', 'client'] as const) {
    const { code, stderr } = await runProgram(
      t,
      ['credentials', 'set', name, '--hosts', '127.0.0.1', '--data-dir', dataDir],
      {
        input: SECRETS[name],
      },
    );
    assert.equal(code, 0, stderr);
  }
  const args = ['serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'trace'];
  const server = startProgram(t, args, {
    environment: { PETS_KEY: SECRETS.environment, AGENT_RUNTIME_RATE_LIMIT: '0' },
  });
  const url = await readyUrl(server);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const ask = async (path: string, body?: object) => {
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${url}${path}`, init)).text();
  };
  for (const slug of Object.keys(auths)) {
    for (const status of STATUSES) {
      for (const as of ['json', 'text']) {
        const answer = await ask(`${CONNECTORS}/${slug}`, { resource: 'read', data: { query: { status, as } } });
        assertWithoutSecrets(`${slug} ${status} ${as}`, answer);
      }
    }
  }
  const sent = JSON.stringify([api.asked, endpoint.asked]);
  for (const secret of [SECRETS.stored, SECRETS.header, SECRETS.environment, SECRETS.token])
    assert.ok(sent.includes(secret));
  const events = await eventsOf(ask, Object.keys(auths).length * STATUSES.length * 2);
  assert.match(events, /"connector":"oauth"/);
  assertWithoutSecrets('events', events);
  assertWithoutSecrets('metrics', await ask('/metrics'));
  for (const command of [
    ['connectors', 'list'],
    ['connectors', 'export'],
    ['credentials', 'list'],
  ]) {
    assertWithoutSecrets(command.join(' '), JSON.stringify(await runJson(dataDir, ...command)));
  }
  const backup = join(temporaryDirectory(t), 'a.backup');
  await runJson(dataDir, 'backup', backup);
  assertWithoutSecrets('the backup', readFileSync(backup, 'latin1'));
  const { code, stdout, stderr } = await server.end('SIGTERM');
  assert.equal(code, 0);
  assert.match(stderr, /"level":"(debug|info|warn)"/, 'the log says much');
  assertWithoutSecrets('standard output', stdout);
  assertWithoutSecrets('the log', stderr);
  assertKeepsNone(dataDir);
});

/** The events of all calls, once written. */
async function eventsOf(ask: (path: string, body: object) => Promise<string>, count: number): Promise<string> {
  const query = (outcome: string) =>
    ask(`${EVENTS}/query`, { eventName: `runtime.connector_${outcome}`, limit: 1_000 });
  const { found } = await eventually(
    `${count} events`,
    async () => {
      const texts = await Promise.all([query('failed'), query('executed')]);
      const totals = texts.map((text) => (JSON.parse(text) as { total: number }).total);
      return totals[0]! + totals[1]! === count ? texts.join('\n') : null;
    },
    10_000,
  );
  return found;
}
