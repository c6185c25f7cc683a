import { type Document, isScalar, LineCounter, parseDocument as parseYaml, visit } from 'yaml';
import { invalid } from '../../../base/shared/errors.ts';
import { repeatedMember } from './repeated-member.ts';

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
