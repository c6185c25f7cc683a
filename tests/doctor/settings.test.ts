import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { findingsOfCertificate, findingsOfMail, findingsOfProxies } from '../../src/doctor/settings.ts';
import { probeMailServer } from '../../src/senders/email.ts';
import { LOGIN, PASSWORD, settingsFor, startMailServer } from '../senders/mail-support.ts';
import { tlsFile } from '../support/tls.ts';

const FILES = { tlsCertificate: tlsFile('first.pem'), tlsKey: tlsFile('first.key') };

test('findingsOfCertificate: a pair, its end, and a wrong key', () => {
  const found = (files: object, now = Date.now()) =>
    findingsOfCertificate(files, now).map(({ status, message }) => `${status}: ${message}`);
  assert.match(found(FILES)[0]!, /^ok: DNS:first\.test, .*valid until 2\d{3}-/);
  assert.match(found(FILES, Date.UTC(3000, 0))[0]!, /^warning: the TLS certificate expired on 2\d{3}-/);
  assert.match(found({ ...FILES, tlsKey: tlsFile('second.key') })[0]!, /^failed: .*is not the key of/);
  assert.deepEqual(found({}), []);
});

test('findingsOfProxies: a public URL without trusted proxies or TLS is a warning', () => {
  const publicUrl = 'https://runtime.example.com';
  const statuses = (trustedProxies: string[], url?: string) =>
    findingsOfProxies({ trustedProxies, publicUrl: url }).map(({ status }) => status);
  assert.deepEqual(statuses([], publicUrl), ['warning']);
  assert.deepEqual(statuses(['10.0.0.0/8'], publicUrl), ['ok']);
  assert.deepEqual(statuses(['10.0.0.0/8']), ['ok']);
  assert.deepEqual(statuses([]), []);
  assert.deepEqual(findingsOfProxies({ trustedProxies: [], publicUrl, tlsCertificate: '/cert.pem' }), []);
});

const smtpFrom = 'alerts@example.com';

test('findingsOfMail: nothing without a mail server', async () => {
  assert.deepEqual(await findingsOfMail({}), []);
});

test('findingsOfMail: a server that answers and accepts the login is ok', async (t) => {
  const { port, mails } = await startMailServer(t, { hideSTARTTLS: true });
  const found = (login: string) => findingsOfMail({ smtpUrl: `smtp://${login}127.0.0.1:${port}`, smtpFrom });
  const check = 'mail server';
  assert.deepEqual(await found(''), [{ check, status: 'ok', message: `127.0.0.1:${port} answers` }]);
  assert.deepEqual(await found(LOGIN), [
    { check, status: 'ok', message: `127.0.0.1:${port} answers, and accepts the login` },
  ]);
  assert.equal(mails.length, 0);
});

test('findingsOfMail: a refused login and an unreachable server have failed', async (t) => {
  const { port, close } = await startMailServer(t, { hideSTARTTLS: true });
  const found = async (login: string) => {
    const [{ status, message } = assert.fail()] = await findingsOfMail({
      smtpUrl: `smtp://${login}127.0.0.1:${port}`,
      smtpFrom,
    });
    assert.equal(status, 'failed');
    return message;
  };
  const refused = await found(LOGIN.replace('alerts', 'someone'));
  assert.match(refused, /: The mail server refused the login \(535 5\.7\.8\)\. Correct AGENT_RUNTIME_SMTP_URL/);
  assert.ok(!refused.includes(PASSWORD) && !refused.includes('someone'));
  await close();
  assert.match(await found(''), /could not be reached, or ended the connection \(ECONNREFUSED\)/);
});

test('findingsOfMail: a login that the server does not offer has failed', async (t) => {
  const { port, mails } = await startMailServer(t, { hideSTARTTLS: true, disabledCommands: ['AUTH', 'STARTTLS'] });
  assert.match((await probeMailServer(settingsFor(port, { login: LOGIN }))) ?? '', /refused the login/);
  assert.equal(mails.length, 0);
});

test('probeMailServer: does not wait for a server that never greets', async (t) => {
  const silent = net.createServer((socket) => t.after(() => socket.destroy())).listen(0, '127.0.0.1');
  t.after(() => silent.close());
  await once(silent, 'listening');
  const settings = settingsFor((silent.address() as net.AddressInfo).port);
  assert.match((await probeMailServer(settings, 50)) ?? '', /\(ETIMEDOUT\)$/);
});
