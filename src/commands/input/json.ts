import { invalid } from '../../core/shared/errors.ts';
import { inputName } from './input.ts';

/**
 * Parses what a file or standard input (`-`) holds. Throws `invalid`, which says where it ceases to be JSON. The parser's own
 * words quote what stands around that place, which may be a secret: they are not repeated.
 */
export function parseJson(source: string, file: string): unknown {
  // As some editors begin it.
  const text = source.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch (error) {
    const name = inputName(file);
    const position = faultyPosition(text, (error as Error).message);
    if (position >= text.length) throw invalid(`${name}: is not JSON, or not all of it`);
    const before = text.slice(0, position);
    const place = `line ${before.split('\n').length}, column ${position - before.lastIndexOf('\n')}`;
    throw invalid(`${name}: is not JSON (${place})${explained(before, text[position]!)}`);
  }
}

/** The engine tells it, but not where it expected a value. */
function faultyPosition(text: string, message: string): number {
  const [, told] = / at position (\d+)/.exec(message) ?? [];
  if (told !== undefined) return Number(told);
  // What has the faulty character in it is faulty in the same way, and what ends before it only ends too early.
  let [sound, faulty] = [0, text.length + 1];
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2);
    if (isFaulty(text.slice(0, middle))) faulty = middle;
    else sound = middle;
  }
  return faulty - 1;
}

function isFaulty(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as Error).message.startsWith('Unexpected token');
  }
}

function explained(before: string, character: string): string {
  if (/[/#]/.test(character)) return ': JSON has no comments';
  return /[}\]]/.test(character) && before.trimEnd().endsWith(',') ? ': the comma before it is one too many' : '';
}
