import { encodeText } from './form-text.ts';
import { formEncoded } from './token-request.ts';
import type { UpstreamAnswer } from './transport.ts';

/** Shorter ones stand in texts by chance. */
const MIN_LENGTH = 8;
const REDACTED = '[redacted]';

/** An answer without the secrets that it was asked with, should the API repeat what it was sent: whoever calls may use them, not see them. */
export function withoutSecrets(answer: UpstreamAnswer, secrets: readonly string[]): UpstreamAnswer {
  const forms = new Set(secrets.filter((secret) => secret.length >= MIN_LENGTH).flatMap(formsOf));
  const found = [...forms].filter((form) => answer.body.includes(form, 0, 'latin1'));
  if (found.length === 0) return answer;
  // The longest first: one may hold another, of which the rest would stay.
  const text = found
    .sort((one, other) => other.length - one.length)
    .reduce((all, form) => all.replaceAll(form, REDACTED), answer.body.toString('latin1'));
  return { ...answer, body: Buffer.from(text, 'latin1') };
}

/** As it was sent, and as APIs write down what they were sent: in JSON, URLs, forms, HTML and base64. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(secret, 'latin1');
  return [
    ...[secret, json, json.replaceAll('/', '\\/')],
    ...[encodeURIComponent(secret), encodeText(secret), formEncoded(secret), htmlOf(secret)],
    ...[bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')],
  ];
}

function htmlOf(text: string): string {
  return text.replace(/["&'<>]/g, (character) => ENTITIES[character]!);
}

const ENTITIES: Record<string, string> = { '"': '&quot;', '&': '&amp;', "'": '&#39;', '<': '&lt;', '>': '&gt;' };
