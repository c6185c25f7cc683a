import { invalid } from '../../core/base/shared/errors.ts';
import { inputName } from './input.ts';

/** Throws `invalid` with the position only: V8's message quotes text that may be secret. */
export function parseJson(source: string, file: string): unknown {
  // Byte order mark.
  const text = source.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch (error) {
    const name = inputName(file);
    const position = faultyPosition(text, (error as Error).message);
    if (position >= text.length) throw invalid(`${name}: is not JSON, or not all of it`);
    const before = text.slice(0, position);
    const lineAndColumn = `line ${before.split('\n').length}, column ${position - before.lastIndexOf('\n')}`;
    throw invalid(`${name}: is not JSON (${lineAndColumn})${explained(before, text[position]!)}`);
  }
}

/** V8 reports the position, except where it expected a value. */
function faultyPosition(text: string, message: string): number {
  const [, reported] = / at position (\d+)/.exec(message) ?? [];
  if (reported !== undefined) return Number(reported);
  // Binary search for the shortest prefix with that error.
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
