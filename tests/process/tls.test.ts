import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { EVENTS, testApp } from '../support/app.ts';
import { newUser, OWN_PAGE, PORTAL } from '../support/people.ts';
import {
  countOverMcp,
  createKey,
  eventually,
  newDataDirectory,
  readyUrl,
  runProgram,
  startMcp,
  startProgram,
} from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { copiedPair, secureRequest, tlsFile } from '../support/tls.ts';

const PASSWORD = 'correct horse battery staple';
const FIRST = { tlsCertificate: tlsFile('first.pem'), tlsKey: tlsFile('first.key') };

test('TLS: the cookies of a login are Secure, and HSTS is sent', async (t) => {
  const app = await testApp(t, FIRST);
  assert.match(app.url, /^https:/);
  const { email } = await newUser(app, { password: PASSWORD });
  const login = await secureRequest(`${app.url}${PORTAL}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...OWN_PAGE },
    body: JSON.stringify({ email, password: PASSWORD, session: 'cookie' }),
  });
  assert.equal(login.status, 200, login.body);
  const cookies = [login.headers['set-cookie'] ?? []].flat();
  assert.deepEqual(
    cookies.map((cookie) => [cookie.split('=')[0], cookie.endsWith('; Secure')]),
    [
      ['ar_device', true],
      ['__Host-ar_session', true],
    ],
  );
  assert.match(String(login.headers['strict-transport-security']), /max-age=/);
});

test('serve: with a certificate it speaks HTTPS, and mcp reaches it by its socket', async (t) => {
  const { replace, ...files } = copiedPair(t);
  const dataDir = newDataDirectory(t);
  const args = ['serve', '--port', '0', '--data-dir', dataDir];
  const server = startProgram(t, [...args, '--tls-cert', files.tlsCertificate, '--tls-key', files.tlsKey]);
  const url = await readyUrl(server);
  assert.match(url, /^https:\/\/127\.0\.0\.1:/);
  assert.match(readFileSync(`${dataDir}/first-run.txt`, 'utf8'), new RegExp(`"${url}/mcp"`));
  const { key } = await createKey(dataDir);
  const sent = await secureRequest(`${url}${EVENTS}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{"events":[{"eventName":"hello"}]}',
  });
  assert.equal(sent.status, 202, sent.body);
  const { client } = await startMcp(t, dataDir, key);
  assert.equal(await countOverMcp(client, 'hello', JSON.parse(sent.body).receipt), 1);

  if (process.platform !== 'win32') {
    const logs = async (text: string) => server.output().stderr.includes(text);
    writeFileSync(files.tlsKey, 'nothing');
    server.child.kill('SIGHUP');
    await eventually('the fault', () => logs('the files are faulty'), 10_000);
    assert.equal((await secureRequest(url)).certificate, 'first.test');
    replace('second');
    server.child.kill('SIGHUP');
    await eventually('the renewal', () => logs('DNS:second.test'), 10_000);
    assert.equal((await secureRequest(url)).certificate, 'second.test');
  }
  await client.close();
  const { code, stdout, stderr } = await server.end('SIGTERM');
  assert.equal(code, 0);
  const secret = readFileSync(files.tlsKey, 'utf8').split('\n')[1]!;
  assert.doesNotMatch(stdout + stderr, new RegExp(secret));
});

rareTest('serve: what the user must correct ends it with exit code 78', async (t) => {
  const faults: [string[], Record<string, string>, RegExp][] = [
    [['--tls-cert', FIRST.tlsCertificate], {}, /Set both AGENT_RUNTIME_TLS_CERTIFICATE and AGENT_RUNTIME_TLS_KEY/],
    [[], { AGENT_RUNTIME_TLS_CERTIFICATE: FIRST.tlsCertificate, AGENT_RUNTIME_TLS_KEY: '/no/key' }, /\(ENOENT\)/],
    [['--port', 'x'], {}, /port \(PORT\): "x" is not possible/],
    [['--unknown'], {}, /unknown option '--unknown'/],
  ];
  for (const [args, environment, message] of faults) {
    const { code, stderr } = await runProgram(t, ['serve', '--data-dir', newDataDirectory(t), ...args], {
      environment,
    });
    assert.equal(code, 78, stderr);
    assert.match(stderr, message);
  }
});
