import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutSecrets } from '../../../src/core/connectors/redaction.ts';

const answer = (body: string) => ({ status: 200, headers: {}, body: Buffer.from(body) });

test('a secret that the API repeats is not shown to whoever called', () => {
  const { body } = withoutSecrets(answer('{"headers":{"authorization":"Bearer s3cret-token"},"é":"s3cret-token"}'), [
    's3cret-token',
  ]);
  assert.equal(body.toString(), '{"headers":{"authorization":"Bearer [redacted]"},"é":"[redacted]"}');
});

test('an answer without them is the same answer, and a short one is no reason to change it', () => {
  const given = answer('{"a":"key"}');
  assert.equal(withoutSecrets(given, ['s3cret-token', 'key']), given);
});
