import { type Document, isScalar, LineCounter, parseDocument as parseYaml, visit } from 'yaml';
import { invalid } from '../../../base/shared/errors.ts';
import { endOfString } from '../call/answer-data.ts';

const MEGABYTE = 1024 * 1024;
const MAX_BYTES = 32 * MEGABYTE;
/** Parsing YAML takes ten times as long as JSON, and thirty times its size in memory. */
const MAX_YAML_BYTES = 16 * MEGABYTE;
/** Against alias bombs: a few lines can expand to billions of values. */
const MAX_ALIASES = 1_000;

/** Throws `invalid` with the line. */
export function parseDocument(text: string, name: string): unknown {
  if (Buffer.byteLength(text) > MAX_BYTES) throw invalid(`${name}: must have at most ${MAX_BYTES / MEGABYTE} MB`);
  const content = text.replace(/^\uFEFF/, '');
  return /^\s*[{[]/.test(content) ? (parseJson(content, name) ?? readYaml(content, name)) : readYaml(content, name);
}

/** Undefined for invalid JSON: the YAML parser has better messages. */
function parseJson(text: string, name: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const repeated = repeatedMember(text);
  if (repeated) throw invalid(`${name}:${repeated.line}: has ${quoted(repeated.name)} twice; keep one`);
  return value;
}

function readYaml(text: string, name: string): unknown {
  if (Buffer.byteLength(text) > MAX_YAML_BYTES) {
    throw invalid(`${name}: must have at most ${MAX_YAML_BYTES / MEGABYTE} MB as YAML; make it JSON`);
  }
  try {
    const lines = new LineCounter();
    // The uniqueness check of the library is quadratic.
    const document = parseYaml(text, { lineCounter: lines, uniqueKeys: false, merge: true, logLevel: 'error' });
    const problem = document.errors[0] ?? document.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED');
    if (problem?.code === 'RESOURCE_EXHAUSTION') throw new RangeError(problem.message);
    if (problem) throw invalid(`${name}:${lines.linePos(problem.pos[0]).line}: ${firstSentence(problem.message)}`);
    refuseRepeatedKeys(document, lines, name);
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`${name}: is nested too deep to be read`);
    if (!(error instanceof ReferenceError)) throw error;
    const isTooMuch = error.message.startsWith('Excessive');
    const problem = isTooMuch ? 'has aliases that stand for too much; write out what they stand for' : error.message;
    throw invalid(`${name}: ${problem}`);
  }
}

function refuseRepeatedKeys(document: Document, lines: LineCounter, name: string): void {
  visit(document, {
    Map(_, map) {
      const keys = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key) || key.value === '<<') continue;
        const text = String(key.value);
        if (keys.has(text)) {
          throw invalid(`${name}:${lines.linePos(key.range?.[0] ?? 0).line}: has ${quoted(text)} twice; keep one`);
        }
        keys.add(text);
      }
    },
  });
}

/** Removes the excerpt that the library appends. */
function firstSentence(message: string): string {
  return message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '');
}

function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}...` : name);
}

const COLON = 0x3a;

/** The first repeated member of valid JSON; `JSON.parse` silently keeps the last. */
export function repeatedMember(text: string): { name: string; line: number } | null {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '}') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at) + 1;
      if (isMemberName(text, end)) {
        const name = JSON.parse(text.slice(at, end)) as string;
        const names = open.at(-1)!;
        if (names.has(name)) return { name, line: text.slice(0, at).split('\n').length };
        names.add(name);
      }
      at = end - 1;
    }
  }
  return null;
}

function isMemberName(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === COLON;
}
