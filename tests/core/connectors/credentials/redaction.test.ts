import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutSecrets } from '../../../../src/core/connectors/credentials/redaction.ts';

const answer = (body: string) => ({ status: 200, headers: {}, body: Buffer.from(body) });
const shown = (body: string, ...secrets: string[]) => withoutSecrets(answer(body), secrets).body.toString();

test('a secret that the API repeats is not shown to whoever called', () => {
  assert.equal(
    shown('{"headers":{"authorization":"Bearer s3cret-token"},"é":"s3cret-token"}', 's3cret-token'),
    '{"headers":{"authorization":"Bearer [redacted]"},"é":"[redacted]"}',
  );
});

test('an answer without them is the same answer, and a short one is no reason to change it', () => {
  const given = answer('{"a":"key"}');
  assert.equal(withoutSecrets(given, ['s3cret-token', 'key']), given);
});

test('a secret within another one leaves nothing of it', () => {
  assert.equal(shown('s3cret-token-of-2026', 's3cret-token', 's3cret-token-of-2026'), '[redacted]');
});

test('however an API writes a secret down, nobody reads it', () => {
  const secrets = fc.string({ unit: fc.constantFrom(...'aZ09+/=&"\'<>\\% ~!*()'), minLength: 10, maxLength: 200 });
  const sent = secrets.filter((secret) => secret.trim() === secret);
  const writings: ((secret: string) => string)[] = [
    (secret) => JSON.stringify({ authorization: `Bearer ${secret}` }),
    (secret) => JSON.stringify({ key: secret }).replaceAll('/', '\\/'),
    (secret) => `GET /v1?key=${encodeURIComponent(secret)}`,
    (secret) => new URLSearchParams({ key: secret }).toString(),
    (secret) =>
      `<p>${secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')}</p>`,
    (secret) => JSON.stringify({ data: JSON.stringify({ key: secret }).replaceAll('/', '\\/') }),
    (secret) =>
      JSON.stringify({ key: secret }).replace(
        /[<>&'+/]/g,
        (one) => `\\u00${one.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    (secret) => encodeURI(secret).replace(/%../g, (one) => one.toLowerCase()),
    (secret) => JSON.stringify({ body: Buffer.from(secret).toString('base64') }).replaceAll('/', '\\/'),
    (secret) => JSON.stringify({ body: Buffer.from(secret).toString('base64url') }),
  ];
  fc.assert(
    fc.property(sent, fc.constantFrom(...writings), (secret, write) => {
      assert.notEqual(shown(write(secret), secret), write(secret));
      assert.ok(shown(write(secret), secret).includes('[redacted]'));
    }),
  );
});

test('a secret as long as any is found however it is written, and what only begins like it is left alone', () => {
  for (const unit of ['-', '/\\', 'aB3-', '"\\/']) {
    const secret = `${unit.repeat(9_000 / unit.length)}!`;
    for (const said of [secret, encodeURIComponent(secret)])
      assert.equal(shown(`<${said}>`, secret), '<[redacted]>', unit);
  }
  const secret = `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${'x1_-'.repeat(50)}`;
  const other = secret.replace(/1_-$/, '1_+');
  assert.equal(shown(`${other} ${secret} ${other}`, secret), `${other} [redacted] ${other}`);
});

test('no secret makes the search long either, together with an answer that is made for it', { timeout: 20_000 }, () => {
  for (const unit of ['-', 'a-', '%', 'a', '/\\']) {
    const secret = `${unit.repeat(9_000 / unit.length)}!`;
    shown(unit.repeat(300_000 / unit.length), secret);
  }
});

test('no answer makes the search long: what is nearly a secret, again and again, is passed over', {
  timeout: 20_000,
}, () => {
  for (const secret of ['/secret/of/pets!', '\\\\\\\\secret!', 'secret\\\\\\\\/\\\\/\\/x!', '///////////!']) {
    const nearly = secret.slice(0, -1);
    for (const one of ['\\', '\\\\\\/', nearly, JSON.stringify(nearly), JSON.stringify(JSON.stringify(nearly))]) {
      const said = one.repeat(300_000 / one.length);
      assert.ok(shown(said, secret) === said);
    }
  }
});
