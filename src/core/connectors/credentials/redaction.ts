import type { UpstreamAnswer } from '../call/transport.ts';

/** Shorter ones stand in texts by chance. */
const MIN_LENGTH = 8;
const REDACTED = '[redacted]';
/** Of JSON within JSON; each doubles the backslashes. */
const MAX_LEVELS = 3;
/** Backslashes in a row that are looked for: no secret has more. */
const MAX_RUN = 16;

/** Of a long secret, what is looked for; the rest is looked at where that is found. */
const HEAD = 12;
/** The rest, in parts: a pattern of thousands of characters does not compile. */
const PART = 64;
/** Characters of one, as HTML and JSON write it: `&quot;`, `\\u0022`. */
const LONGEST_WRITING = 6;
/** Comparisons of parts for each character of an answer. */
const PARTS_A_CHARACTER = 1 / 64;

/** An answer without the secrets that it was asked with, should the API repeat what it was sent: whoever calls may use them, not see them. */
export function withoutSecrets(answer: UpstreamAnswer, secrets: readonly string[]): UpstreamAnswer {
  const wordings = wordingsOf(secrets.filter(({ length }) => length >= MIN_LENGTH));
  if (wordings.length === 0) return answer;
  const text = answer.body.toString('latin1');
  const spans = spansOf(text, wordings);
  return spans.length === 0 ? answer : { ...answer, body: Buffer.from(redacted(text, spans), 'latin1') };
}

/** Each call looks for the same secrets as the one before it, and to make these costs as much as to build the request. */
const known = new Map<string, Wording[]>();
const MAX_KNOWN = 200;

function wordingsOf(secrets: readonly string[]): Wording[] {
  const key = JSON.stringify(secrets);
  const kept = known.get(key);
  if (kept) return kept;
  const forms = [...new Set(secrets.flatMap(formsOf))];
  // The longest first: one may hold another, of which the rest would stay.
  const wordings = forms.sort((one, other) => other.length - one.length).map(wordingOf);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, wordings);
  return wordings;
}

interface Wording {
  head: RegExp;
  rest: RegExp[];
}

function wordingOf(form: string): Wording {
  const runs = form.match(/\\+|[^\\]/g) ?? [];
  const [head, ...rest] = cut(runs).map((part) => part.map(patternOf).join(''));
  return { head: new RegExp(head!, 'g'), rest: rest.map((part) => new RegExp(part, 'y')) };
}

/** Not shortly behind what begins the writing of a character as well (`&amp;`): whether it is itself is told by what follows. */
function cut(runs: string[]): string[][] {
  if (runs.length <= PART) return [runs];
  const parts: string[][] = [];
  for (let start = 0; start < runs.length; ) {
    let end = start + (start === 0 ? HEAD : PART);
    for (let more = 0; more < PART && /[\\%&]/.test(runs.slice(end - LONGEST_WRITING, end).join('')); more += 1)
      end += 1;
    parts.push(runs.slice(start, end));
    start = end;
  }
  return parts;
}

interface Span {
  start: number;
  end: number;
}

/**
 * Where the secrets stand. Whoever makes both a secret and an answer could have nearly all of it found at each character: once that has
 * been too often, what begins as a secret is taken for one.
 */
function spansOf(text: string, wordings: Wording[]): Span[] {
  let comparisons = Math.ceil(text.length * PARTS_A_CHARACTER) + 1_000;
  return wordings.flatMap(({ head, rest }) => {
    const found: Span[] = [];
    head.lastIndex = 0;
    for (let match = head.exec(text); match !== null; match = head.exec(text)) {
      let end: number | null = head.lastIndex;
      for (const part of rest) {
        if (comparisons <= 0) break;
        comparisons -= 1;
        part.lastIndex = end;
        if (!part.test(text)) {
          end = null;
          break;
        }
        end = part.lastIndex;
      }
      if (end !== null) found.push({ start: match.index, end });
      head.lastIndex = end ?? match.index + 1;
    }
    return found;
  });
}

function redacted(text: string, spans: Span[]): string {
  let end = 0;
  const parts: string[] = [];
  for (const span of spans.sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (span.start >= end) parts.push(text.slice(end, span.start), REDACTED);
    end = Math.max(end, span.end);
  }
  return parts.join('') + text.slice(end);
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'latin1');
  return [secret, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}

/**
 * As texts are written down within JSON, also within JSON that is a text of JSON itself, URLs, forms and HTML. All repetition
 * is bounded, and no run of backslashes can be divided in many ways: what is searched is the API's.
 */
function patternOf(run: string): string {
  if (/\w/.test(run)) return run;
  const code = run.charCodeAt(0);
  const hex = code.toString(16).replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const entities = [...(ENTITIES[run] ?? []), `#${code}`, `#x${hex}`].join('|');
  const count = Math.min(run.length, MAX_RUN);
  const itself = run.startsWith('\\')
    ? `\\\\{${count},${count * 2 ** MAX_LEVELS}}`
    : `\\\\{0,${2 ** MAX_LEVELS}}\\x${code.toString(16)}`;
  const encoded = `(?:%${hex}|\\\\{1,${2 ** MAX_LEVELS}}u00${hex}|&(?:${entities});${run === ' ' ? '|\\+' : ''}){${count}}`;
  return `(?:${itself}|${encoded})`;
}

const ENTITIES: Record<string, string[]> = { '"': ['quot'], '&': ['amp'], "'": ['apos'], '<': ['lt'], '>': ['gt'] };
