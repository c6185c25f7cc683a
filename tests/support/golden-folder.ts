import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Chunk, FORMATS, formatOf, type ReadOptions } from '../../src/core/knowledge/reader.ts';
import { UPDATES_GOLDEN } from './golden.ts';
import { NO_HYGIENE } from './upload-file.ts';

const INGEST = resolve(import.meta.dirname, '../ingest');
const INPUT = join(INGEST, 'input');
const OUTPUT = join(INGEST, 'output');

const OPTIONS = '.options.json';
/** A second opinion on a PDF, which another test compares with. */
const SECOND_OPINION = '.pdftotext.txt';

/** A file, and how it is read. */
export interface GoldenCase {
  /** `csv/ragged.csv`; `csv/messy.csv.strip-html` where one file is read in several ways. */
  name: string;
  /** Within the folder of inputs. */
  file: string;
  options: ReadOptions;
}

/** What a document gives to whoever ingests it. */
export type Outcome = Chunk[] | { error: string };

export const goldenFolder = INPUT;

/** Every file in every way that its options ask for: `<file>[.<way>].options.json`, or as it is where there are none. */
export function goldenCases(): GoldenCase[] {
  return FORMATS.flatMap((format) => {
    const names = readdirSync(join(INPUT, format)).sort();
    const options = names.filter((name) => name.endsWith(OPTIONS)).map((name) => name.slice(0, -OPTIONS.length));
    const files = names.filter((name) => !name.endsWith(OPTIONS) && !name.endsWith(SECOND_OPINION));
    for (const file of files) assert.equal(formatOf(file), format, `${file} is not read as what its folder says`);
    return files.flatMap((file) => {
      const ways = options.filter((way) => way === file || way.startsWith(`${file}.`));
      return (ways.length === 0 ? [file] : ways).map((way) => caseOf(format, file, way));
    });
  });
}

function caseOf(format: ReadOptions['format'], file: string, way: string): GoldenCase {
  const path = join(INPUT, format, `${way}${OPTIONS}`);
  const { hygiene, ...given } = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<ReadOptions>)
    : {};
  const options = { format, ...given, hygiene: { ...NO_HYGIENE, ...hygiene } };
  return { name: `${format}/${way}`, file: `${format}/${file}`, options };
}

/** Where the files of a folder are that are read, and their names: `tests/ingest/input/pdf`. */
export function goldenInputs(folder: string, extension: string): { name: string; path: string }[] {
  const inputs = join(INPUT, folder);
  const names = readdirSync(inputs).filter((name) => name.endsWith(extension));
  return names.sort().map((name) => ({ name: `${folder}/${name}`, path: join(inputs, name) }));
}

/** The cases whose outcome somebody has reviewed. */
export function goldenOutputs(): string[] {
  const files = readdirSync(OUTPUT, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return files.map((name) => name.slice(0, -'.json'.length));
}

/** What was read is what was reviewed: `tests/ingest/output/<name>.json`, written anew with UPDATE_GOLDEN=1. */
export function assertGolden(name: string, outcome: Outcome): void {
  const path = join(OUTPUT, `${name}.json`);
  const shown = JSON.parse(JSON.stringify(Array.isArray(outcome) ? outcome.map(shownChunk) : outcome));
  if (UPDATES_GOLDEN) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(shown, null, 2)}\n`);
  }
  assert.ok(existsSync(path), `${name} has no outcome that was reviewed; UPDATE_GOLDEN=1 writes what it gives`);
  assert.deepEqual(shown, JSON.parse(readFileSync(path, 'utf8')), name);
}

/** For people who read it: without what says nothing, and a line a line. */
function shownChunk({ place, headings, metadata, text }: Chunk) {
  return {
    ...place,
    ...(headings.length > 0 && { headings }),
    ...(metadata !== null && { metadata }),
    text: text.split('\n'),
  };
}
