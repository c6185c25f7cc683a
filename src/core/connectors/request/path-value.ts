import { simpleTexts } from './form-text.ts';

const MAX_ROUNDS = 5;
/** A quick check that most values pass. */
const PLAIN = /^[\w-]+$/;

/** The problem of a path parameter, or null. It must stay in its segment however it is decoded. */
export function problemOfPathValue(value: unknown): string | null {
  const texts = simpleTexts(value);
  if (texts === null) return 'must be a text, a number or a boolean, or a list of them';
  return texts.map(problemOfText).find((problem) => problem !== null) ?? null;
}

function problemOfText(text: string): string | null {
  if (PLAIN.test(text)) return null;
  if (text === '') return 'must not be empty: it is a part of the path';
  if (/\p{Cc}/u.test(text)) return 'must have no control characters';
  if (!text.isWellFormed()) return 'contains a lone surrogate, which is not valid Unicode';
  if (isTraversal(text)) return 'must not have a part . or ..: it would lead to another path';
  return null;
}

/**
 * Detects path traversal. A slash is sent as `%2F`, but some proxies decode it, even twice, and
 * resolve `..`; others treat a backslash as a slash, or ignore what follows a semicolon.
 */
function isTraversal(text: string): boolean {
  return readings(text).some((reading) => reading.split(/[/\\]/).some((part) => /^\.{1,2}(;|$)/.test(part)));
}

/** The text and its repeated decodings. */
function readings(text: string): string[] {
  const all = [text];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const last = all.at(-1)!;
    const decoded = last.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === last) break;
    all.push(decoded);
  }
  return all;
}
