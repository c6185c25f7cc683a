import { LRUCache } from 'lru-cache';
import type { UpstreamAnswer } from '../call/transport.ts';
import { percentEncoded } from '../request/styles.ts';
import { formEncoded } from './token-request.ts';

/** Shorter secrets occur in texts by chance. */
const MIN_LENGTH = 8;
const REDACTED = '[redacted]';

/** Removes secrets, in base64 or escaped, too (docs/decisions/0024-connector-redaction.md). */
export function redactedAnswer(answer: UpstreamAnswer, secrets: readonly string[]): UpstreamAnswer {
  const forms = formsCache.memo(secrets.join('\n'));
  if (forms.length === 0) return answer;
  // One character per byte, whatever the encoding.
  const text = answer.body.toString('latin1');
  const redacted = without(forms, text);
  return redacted === text ? answer : { ...answer, body: Buffer.from(redacted, 'latin1') };
}

/** The headers of an answer that people may see: without its secrets, and without cookies. */
export function shownHeaders({ headers }: UpstreamAnswer, secrets: readonly string[]): Record<string, string> {
  const forms = formsCache.memo(secrets.join('\n'));
  const shown = Object.entries(headers).filter(([name, value]) => value !== undefined && name !== 'set-cookie');
  return Object.fromEntries(shown.map(([name, value]) => [name, without(forms, [value].flat().join(', '))]));
}

function without(forms: readonly string[], text: string): string {
  return forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
}

/** Module state. Deriving the forms takes ten times as long as searching a short answer. */
const formsCache = new LRUCache<string, string[]>({
  max: 200,
  memoMethod: (secrets) => {
    const forms = new Set(secrets.split('\n').flatMap((one) => (one.length < MIN_LENGTH ? [] : formsOf(one))));
    // Longest first: one form may contain another.
    return [...forms].sort((one, other) => other.length - one.length);
  },
});

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    encodeURIComponent(secret),
    percentEncoded(secret),
    formEncoded(secret),
  ];
  // Some JSON writers also escape the slash.
  return forms.flatMap((form) => [form, form.replaceAll('/', '\\/')]);
}
