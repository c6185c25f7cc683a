import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailServerProblem, mailSettings, parseMailbox } from '../../../../src/core/watch/deliveries/mail.ts';

const serverOf = (smtpUrl: string) => mailSettings({ smtpUrl, smtpFrom: 'alerts@example.com' })?.server;

test('mailSettings: the URL says host, port, TLS and login', () => {
  const plain = { isTls: false, mustStartTls: false, login: null };
  assert.deepEqual(serverOf('smtp://mail.example.com'), { host: 'mail.example.com', port: 587, ...plain });
  assert.deepEqual(serverOf('smtp://[::1]:25/'), { host: '::1', port: 25, ...plain });
  assert.deepEqual(serverOf('smtps://mail.example.com'), {
    ...plain,
    host: 'mail.example.com',
    port: 465,
    isTls: true,
  });
  const login = { user: 'ana@example.com', password: 'p%ss/w:rd' };
  const coded = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}`;
  assert.deepEqual(serverOf(`smtp://${coded}@mail.example.com:2525`), {
    host: 'mail.example.com',
    port: 2_525,
    isTls: false,
    mustStartTls: true,
    login,
  });
});

test('mailSettings: a password goes in the clear to this machine alone', () => {
  const must = (url: string) => serverOf(url)?.mustStartTls;
  assert.deepEqual(
    ['smtp://a:b@10.0.0.1', 'smtp://a:b@127.0.0.1', 'smtp://a:b@localhost', 'smtp://a:b@[::1]', 'smtps://a:b@c'].map(
      must,
    ),
    [true, false, false, false, false],
  );
});

test('mailServerProblem: says what is wrong and repeats nothing', () => {
  const problems = [
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp://s3cret:pw@mail.example.com/path',
    'smtp://mail.example.com?debug=true',
    'smtp://s3cret@mail.example.com',
    'smtp://a:s3cret%@mail.example.com',
  ].map((url) => mailServerProblem(url) ?? assert.fail(url));
  assert.doesNotMatch(problems.join(), /s3cret/);
  assert.equal(new Set(problems).size, 4);
  assert.equal(mailServerProblem('smtps://a:b@mail.example.com:465'), null);
});

test('parseMailbox: takes an address with or without a name', () => {
  assert.deepEqual(parseMailbox(' alerts@example.com '), { name: '', address: 'alerts@example.com' });
  assert.deepEqual(parseMailbox('"Alerts, too" <alerts@example.com>'), {
    name: 'Alerts, too',
    address: 'alerts@example.com',
  });
  for (const text of ['', 'alerts', 'a <b>', 'a@example.com, b@example.com', 'a\r\nb <a@example.com>']) {
    assert.equal(parseMailbox(text), null, text);
  }
});
