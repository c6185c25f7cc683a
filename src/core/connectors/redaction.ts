import type { UpstreamAnswer } from './transport.ts';

/** Shorter ones stand in texts by chance. */
const MIN_LENGTH = 8;
const REDACTED = '[redacted]';

/** An answer without the secrets that it was asked with, should the API repeat what it was sent: whoever calls may use them, not see them. */
export function withoutSecrets(answer: UpstreamAnswer, secrets: readonly string[]): UpstreamAnswer {
  const found = secrets.filter((secret) => secret.length >= MIN_LENGTH && answer.body.includes(secret, 0, 'latin1'));
  if (found.length === 0) return answer;
  const text = found.reduce((all, secret) => all.replaceAll(secret, REDACTED), answer.body.toString('latin1'));
  return { ...answer, body: Buffer.from(text, 'latin1') };
}
