import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redactedAnswer } from '../../../../../src/core/agents/connectors/credentials/redaction.ts';

const answer = (body: string) => ({ status: 200, headers: {}, body: Buffer.from(body) });
const shown = (body: string, ...secrets: string[]) => redactedAnswer(answer(body), secrets).body.toString();

test('withoutSecrets: a secret in the answer is replaced by [redacted]', () => {
  assert.equal(
    shown('{"headers":{"authorization":"Bearer s3cret-token"},"é":"s3cret-token"}', 's3cret-token'),
    '{"headers":{"authorization":"Bearer [redacted]"},"é":"[redacted]"}',
  );
});

test('withoutSecrets: an answer without secrets or with short ones is returned as is', () => {
  const given = answer('{"a":"key"}');
  assert.equal(redactedAnswer(given, ['s3cret-token', 'key']), given);
});

test('withoutSecrets: of overlapping secrets the longer one is redacted whole', () => {
  assert.equal(shown('s3cret-token-of-2026', 's3cret-token', 's3cret-token-of-2026'), '[redacted]');
});

const CHARACTERS = 'aZ09+/=&"\'<>\\% ~!*()';

/** How APIs echo what they receive: docs/decisions/0024-connector-redaction.md. */
const ECHOES: [string, (secret: string) => string][] = [
  ['a plain text', (secret) => `Bearer ${secret}`],
  ['JSON', (secret) => JSON.stringify({ authorization: `Bearer ${secret}` })],
  ['JSON with escaped slashes', (secret) => JSON.stringify({ key: secret }).replaceAll('/', '\\/')],
  ['a URL', (secret) => `GET /v1?key=${encodeURIComponent(secret)}`],
  ['a form', (secret) => new URLSearchParams({ key: secret }).toString()],
  ['base64', (secret) => JSON.stringify({ body: Buffer.from(secret).toString('base64') })],
  ['base64 with escaped slashes', (secret) => btoa(secret).replaceAll('/', '\\/')],
  ['base64url', (secret) => JSON.stringify({ body: Buffer.from(secret).toString('base64url') })],
];

for (const [form, echo] of ECHOES) {
  test(`withoutSecrets: a secret echoed as ${form} is redacted`, () => {
    const texts = fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength: 10, maxLength: 200 });
    const secrets = texts.filter((secret) => secret.trim() === secret);
    fc.assert(
      fc.property(secrets, (secret) => {
        const withoutPadding = shown(echo(secret), secret).replace(/\]=+/, ']');
        assert.equal(withoutPadding, echo('SECRET').replace(/SECRET|U0VDUkVU/, '[redacted]'));
      }),
    );
  });
}

test('withoutSecrets: a long secret is redacted, a text with the same start is not', () => {
  for (const unit of ['-', '/\\', 'aB3-', '"\\/']) {
    const secret = `${unit.repeat(9_000 / unit.length)}!`;
    for (const echoed of [secret, encodeURIComponent(secret)])
      assert.equal(shown(`<${echoed}>`, secret), '<[redacted]>', unit);
  }
  const secret = `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${'x1_-'.repeat(50)}`;
  const other = secret.replace(/1_-$/, '1_+');
  assert.equal(shown(`${other} ${secret} ${other}`, secret), `${other} [redacted] ${other}`);
});

test('withoutSecrets: a repetitive secret and answer do not make the search long', { timeout: 20_000 }, () => {
  for (const unit of ['-', 'a-', '%', 'a', '/\\']) {
    const secret = `${unit.repeat(9_000 / unit.length)}!`;
    shown(unit.repeat(300_000 / unit.length), secret);
  }
});

test('withoutSecrets: near misses of a secret do not make the search long', { timeout: 20_000 }, () => {
  for (const secret of ['/secret/of/pets!', '\\\\\\\\secret!', 'secret\\\\\\\\/\\\\/\\/x!', '///////////!']) {
    const nearly = secret.slice(0, -1);
    for (const one of ['\\', '\\\\\\/', nearly, JSON.stringify(nearly), JSON.stringify(JSON.stringify(nearly))]) {
      const body = one.repeat(300_000 / one.length);
      assert.ok(shown(body, secret) === body);
    }
  }
});
