import { scalarText } from './form-text.ts';

const MAX_ROUNDS = 5;
const PLAIN = /^[\w-]+$/;

/** A value, written as `written`, must stay in its path segment, however often it is decoded. */
export function problemOfPathValue(value: unknown, written: string): string | null {
  for (const text of [written, ...textsIn(value)]) {
    const problem = problemOfText(text);
    if (problem !== null) return problem;
  }
  return null;
}

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [scalarText(value) ?? ''];
  const items = Object.values(value).flatMap(textsIn);
  return Array.isArray(value) ? items : [...Object.keys(value), ...items];
}

function problemOfText(text: string): string | null {
  if (PLAIN.test(text)) return null;
  if (text === '') return 'must not be empty: it is a part of the path';
  if (/\p{Cc}/u.test(text)) return 'must have no control characters';
  if (!text.isWellFormed()) return 'contains a lone surrogate, which is not valid Unicode';
  if (isTraversal(text)) return 'must not have a part . or ..: it would lead to another path';
  return null;
}

/** Some proxies decode `%2F`, even twice, treat `\` as `/`, or ignore what follows a semicolon. */
function isTraversal(text: string): boolean {
  return readings(text).some((reading) => reading.split(/[/\\]/).some((part) => /^\.{1,2}(;|$)/.test(part)));
}

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
