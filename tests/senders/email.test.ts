import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Message, SendOutcome } from '../../src/core/watch/deliveries/message.ts';
import { makeMailSender } from '../../src/senders/email.ts';
import { rejectionOf } from '../outbound/support.ts';
import {
  LOGIN,
  type MailSinkOptions,
  mailContext,
  PASSWORD,
  reply,
  settingsFor,
  startMailServer,
} from './mail-support.ts';
import { errorOf, ID, MESSAGE } from './support.ts';

const ANA = 'ana@example.com';
const BOB = 'bob@example.com';
const EVE = 'eve@example.com';

type Settings = ReturnType<typeof settingsFor>;

const send = (settings: Settings, to = [ANA], message: Message = MESSAGE, context = mailContext()) =>
  makeMailSender(settings).send({ type: 'email', to }, message, context);

/** Sends to a server that refuses something. */
async function refusedBy(t: TestContext, options: MailSinkOptions, to = [ANA]): Promise<SendOutcome> {
  const server = await startMailServer(t, options);
  return send(settingsFor(server.port), to);
}

/** By recipient. */
const refusing = (codes: Record<string, number>): MailSinkOptions => ({
  onRcptTo: ({ address }, _session, callback) => {
    const code = codes[address];
    callback(code === undefined ? null : reply(code, `5.1.1 <${address}> a-secret`));
  },
});

test('makeMailSender: an e-mail has the message, its id and all recipients', async (t) => {
  const { port, mails } = await startMailServer(t);
  const title = 'Poucos pedidos em São Paulo\r\nBcc: evil@example.com';
  assert.deepEqual(await send(settingsFor(port), [ANA, BOB], { ...MESSAGE, title }), { kind: 'sent' });
  const [{ from, to, text } = assert.fail()] = mails;
  assert.deepEqual([from, to], ['alerts@example.com', [ANA, BOB]]);
  const [head = '', body = ''] = text.split(/\n\n(.*)/s);
  const headers = new Map(
    head
      .replaceAll(/\n\s+/g, ' ')
      .split('\n')
      .map((line) => line.split(/: (.*)/) as [string, string]),
  );
  assert.equal(headers.get('From'), 'Alerts <alerts@example.com>');
  assert.equal(headers.get('To'), `${ANA}, ${BOB}`);
  assert.equal(headers.get('Message-ID'), `<${ID}@example.com>`);
  assert.equal(headers.get('Date'), 'Tue, 24 Nov 2026 08:00:00 +0000');
  assert.equal(headers.get('Auto-Submitted'), 'auto-generated');
  assert.equal(headers.has('Bcc'), false);
  assert.match(headers.get('Subject') ?? '', /^=\?UTF-8\?Q\?Poucos_pedidos_em_S=C3=A3o_Paulo/);
  assert.equal(body.trim(), MESSAGE.text);
});

test('makeMailSender: HTML and its pictures are beside the text', async (t) => {
  const { port, mails } = await startMailServer(t);
  const png = Buffer.from('not really a picture').toString('base64');
  const pictures = [{ name: 'orders.png', png, cid: 'orders@digest' }];
  await send(settingsFor(port), [ANA], { ...MESSAGE, html: '<img src="cid:orders@digest">', pictures });
  const [{ text } = assert.fail()] = mails;
  assert.match(text, /Content-Type: multipart\/alternative/);
  assert.match(text, /Content-Type: text\/html[\s\S]*<img src=3D"cid:orders@digest">|<img src="cid:orders@digest">/);
  assert.match(text, /Content-Type: image\/png; name=orders\.png/);
  assert.match(text, /Content-ID: <orders@digest>/);
  assert.match(text, /Content-Disposition: inline; filename=orders\.png/);
  assert.ok(text.includes(png));
});

test('makeMailSender: HTML reads neither files nor addresses', async (t) => {
  const { port, mails } = await startMailServer(t);
  await send(settingsFor(port), [ANA], { ...MESSAGE, html: '<img src="file:///etc/passwd">' });
  assert.doesNotMatch(mails[0]?.text ?? 'root:', /root:/);
});

test('makeMailSender: with a login it uses STARTTLS', async (t) => {
  const { port, mails } = await startMailServer(t);
  const settings = settingsFor(port, { login: LOGIN });
  const strict = { ...settings, server: { ...settings.server, mustStartTls: true } };
  assert.deepEqual(await send(strict), { kind: 'sent' });
  assert.deepEqual([mails[0]?.user, mails[0]?.isEncrypted], ['alerts', true]);
});

test('makeMailSender: smtps is TLS from the first byte', async (t) => {
  const { port, mails } = await startMailServer(t, { secure: true });
  assert.deepEqual(await send(settingsFor(port, { scheme: 'smtps', login: LOGIN })), { kind: 'sent' });
  assert.deepEqual([mails[0]?.user, mails[0]?.isEncrypted], ['alerts', true]);
});

test('makeMailSender: an unknown certificate gets neither password nor message', async (t) => {
  let logins = 0;
  const onAuth: MailSinkOptions['onAuth'] = (_auth, _session, callback) => {
    logins += 1;
    callback(null, { user: 'x' });
  };
  for (const [scheme, secure] of [
    ['smtps', true],
    ['smtp', false],
  ] as const) {
    const { port, mails } = await startMailServer(t, { secure, onAuth, trusted: false });
    const outcome = await send(settingsFor(port, { scheme, login: LOGIN }));
    assert.deepEqual([outcome.kind, mails.length, logins], ['retry', 0, 0]);
    assert.match(errorOf(outcome), /\((DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|ESOCKET|ETLS)\)\.$/);
  }
});

test('makeMailSender: a password is not sent where STARTTLS was taken away', async (t) => {
  const { port, mails } = await startMailServer(t, { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
  const settings = settingsFor(port, { login: LOGIN });
  const outcome = await send({ ...settings, server: { ...settings.server, mustStartTls: true } });
  assert.deepEqual([outcome.kind, mails.length], ['retry', 0]);
});

test('makeMailSender: a refused recipient is dead, one that is put off is tried again', async (t) => {
  assert.deepEqual(await refusedBy(t, refusing({ [ANA]: 550 })), {
    kind: 'dead',
    error: `The mail server refused ${ANA} (550 5.1.1).`,
  });
  assert.deepEqual(await refusedBy(t, refusing({ [ANA]: 450 })), {
    kind: 'retry',
    error: `The mail server refused ${ANA} (450 5.1.1).`,
  });
});

test('makeMailSender: of several recipients, only those are left that did not accept', async (t) => {
  const all = [ANA, BOB, EVE];
  assert.deepEqual(await refusedBy(t, refusing({ [BOB]: 550 }), all), {
    kind: 'dead',
    error: `The mail server refused ${BOB} (550 5.1.1); it accepted the message for the other 2.`,
  });
  assert.deepEqual(await refusedBy(t, refusing({ [BOB]: 550, [EVE]: 451 }), all), {
    kind: 'retry',
    error: `The mail server refused ${BOB} (550 5.1.1), ${EVE} (451 5.1.1); it accepted the message for the other 1.`,
    rest: { type: 'email', to: [BOB, EVE] },
  });
  assert.equal((await refusedBy(t, refusing({ [ANA]: 550, [BOB]: 550, [EVE]: 450 }), all)).kind, 'retry');
});

test('makeMailSender: a refused message is dead, one that is put off is tried again', async (t) => {
  const outcomeOf = (code: number, text: string) => refusedBy(t, { onMail: () => reply(code, text) });
  assert.deepEqual(await outcomeOf(552, '5.3.4 too large'), {
    kind: 'dead',
    error: 'The mail server refused the message (552 5.3.4).',
  });
  assert.deepEqual(await outcomeOf(451, 'later'), {
    kind: 'retry',
    error: 'The mail server refused the message (451).',
  });
});

test('makeMailSender: what the operator may mend is tried again, and tells no secret', async (t) => {
  const { port } = await startMailServer(t, { hideSTARTTLS: true });
  const login = `alerts:${encodeURIComponent(`${PASSWORD} a-secret`)}@`;
  assert.deepEqual(await send(settingsFor(port, { login })), {
    kind: 'retry',
    error: 'The mail server refused the login (535 5.7.8).',
  });
  assert.deepEqual(await refusedBy(t, { onMailFrom: (_address, _session, callback) => callback(reply(550)) }), {
    kind: 'retry',
    error: 'The mail server refused the sender (550).',
  });
  assert.deepEqual(await refusedBy(t, { onConnect: (_session, callback) => callback(reply(421)) }), {
    kind: 'retry',
    error: 'The mail server could not be reached, or ended the connection (421).',
  });
});

test('makeMailSender: a server that is gone is tried again', async (t) => {
  const { port, close } = await startMailServer(t);
  await close();
  assert.deepEqual(await send(settingsFor(port)), {
    kind: 'retry',
    error: 'The mail server could not be reached, or ended the connection (ECONNREFUSED).',
  });
});

test('makeMailSender: a server may greet late', async (t) => {
  const { promise: connected, resolve } = Promise.withResolvers<() => void>();
  const { port, mails } = await startMailServer(t, { onConnect: (_session, callback) => resolve(() => callback()) });
  const sending = send(settingsFor(port));
  const greet = await connected;
  greet();
  assert.deepEqual([await sending, mails.length], [{ kind: 'sent' }, 1]);
});

test('makeMailSender: a server that never greets is left when the attempt ends', async (t) => {
  const { promise: connected, resolve } = Promise.withResolvers<net.Socket>();
  const silent = net.createServer(resolve).listen(0, '127.0.0.1');
  t.after(() => silent.close());
  await once(silent, 'listening');
  const controller = new AbortController();
  const settings = settingsFor((silent.address() as net.AddressInfo).port);
  const sending = send(settings, [ANA], MESSAGE, mailContext(controller.signal));
  const socket = await connected;
  t.after(() => socket.destroy());
  const closed = once(socket.resume(), 'close');
  const reason = new Error('the time is over');
  controller.abort(reason);
  assert.equal(await rejectionOf(sending), reason);
  await closed;
});

test('makeMailSender: a reply may take long only after the final dot', async (t) => {
  const timeouts = { connect: 2_000, command: 300, end: 10_000 };
  const sendSoon = ({ port }: { port: number }) =>
    makeMailSender(settingsFor(port), timeouts).send({ type: 'email', to: [ANA] }, MESSAGE, mailContext());
  const silent = await startMailServer(t, { onMailFrom: () => undefined });
  assert.deepEqual(await sendSoon(silent), {
    kind: 'retry',
    error: 'The mail server could not be reached, or ended the connection (ETIMEDOUT).',
    timedOut: true,
  });
  const thorough = await startMailServer(t, {
    onData: (stream, _session, callback) => {
      stream.resume().once('end', () => setTimeout(callback, 3 * timeouts.command));
    },
  });
  assert.deepEqual(await sendSoon(thorough), { kind: 'sent' });
});

test('makeMailSender: an error of the connection after its end harms nobody', async (t) => {
  const { port } = await startMailServer(t, { onConnect: () => undefined });
  const gone = new AbortController();
  const reason = new Error('the attempt is over');
  gone.abort(reason);
  const message = mailContext(gone.signal);
  assert.equal(await rejectionOf(send(settingsFor(port), [ANA], MESSAGE, message)), reason);
});

test('makeMailSender: after a break within DATA the next attempt has the same id', async (t) => {
  let isBroken = true;
  const { port, mails, sockets } = await startMailServer(t, {
    onMail: () => {
      if (isBroken) for (const socket of sockets) socket.destroy();
      return null;
    },
  });
  const outcome = await send(settingsFor(port));
  assert.deepEqual(outcome, {
    kind: 'retry',
    error: 'The mail server could not be reached, or ended the connection (ECONNECTION).',
  });
  isBroken = false;
  assert.deepEqual(await send(settingsFor(port)), { kind: 'sent' });
  assert.deepEqual(
    mails.map(({ text }) => /^Message-ID: (.*)$/m.exec(text)?.[1]),
    Array(2).fill(`<${ID}@example.com>`),
  );
});
