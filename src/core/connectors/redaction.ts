import type { UpstreamAnswer } from './transport.ts';

/** Shorter ones stand in texts by chance. */
const MIN_LENGTH = 8;
const REDACTED = '[redacted]';
/** Of JSON within JSON; each doubles the backslashes. */
const MAX_LEVELS = 3;

/** An answer without the secrets that it was asked with, should the API repeat what it was sent: whoever calls may use them, not see them. */
export function withoutSecrets(answer: UpstreamAnswer, secrets: readonly string[]): UpstreamAnswer {
  const forms = [...new Set(secrets.filter(({ length }) => length >= MIN_LENGTH).flatMap(formsOf))];
  if (forms.length === 0) return answer;
  // The longest first: one may hold another, of which the rest would stay.
  const written = forms.sort((one, other) => other.length - one.length).map(patternOf);
  const text = answer.body.toString('latin1');
  const without = text.replace(new RegExp(written.join('|'), 'g'), REDACTED);
  return without === text ? answer : { ...answer, body: Buffer.from(without, 'latin1') };
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'latin1');
  return [secret, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}

/**
 * As texts are written down within JSON, also within JSON that is a text of JSON itself, URLs, forms and HTML. All repetition
 * is bounded, and no run of backslashes can be divided in many ways: what is searched is the API's.
 */
function patternOf(text: string): string {
  return text.replace(/\\+|\W/g, (run) => {
    const code = run.charCodeAt(0);
    const hex = code.toString(16).replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
    const entities = [...(ENTITIES[run] ?? []), `#${code}`, `#x${hex}`].join('|');
    const itself = run.startsWith('\\')
      ? `\\\\{${run.length},${run.length * 2 ** MAX_LEVELS}}`
      : `\\\\{0,${2 ** MAX_LEVELS}}\\x${code.toString(16)}`;
    const encoded = `(?:%${hex}|\\\\{1,${2 ** MAX_LEVELS}}u00${hex}|&(?:${entities});${run === ' ' ? '|\\+' : ''}){${run.length}}`;
    return `(?:${itself}|${encoded})`;
  });
}

const ENTITIES: Record<string, string[]> = { '"': ['quot'], '&': ['amp'], "'": ['apos'], '<': ['lt'], '>': ['gt'] };
