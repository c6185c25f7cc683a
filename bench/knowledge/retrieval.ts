import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { Line } from '../events/report.ts';
import { Random } from '../reviews/random.ts';
import { serve } from '../support.ts';
import type { Bench } from './bench.ts';
import { type ManPage, manPages } from './man-pages.ts';
import { ServedKnowledge } from './served-knowledge.ts';
import { withTypingErrors } from './typing-errors.ts';

const QUERIES = 600;
const MOST_PAGES = 10_000;
const LEAST_WORDS = 3;
const AT = 10;
/** A page may be found by several of its chunks. */
const CHUNKS = 30;
const STORE = 'man-pages';
const SEED = 99;

/** The names of pages found, best first. */
type Search = (query: string) => Promise<string[]>;

interface Question {
  clean: string;
  mistyped: string;
  answer: string;
}

/**
 * Manual pages, found by the line that says what they are for, as it stands and with typing errors: our search by words
 * against BM25 as SQLite has it. It says nothing of questions in other words, which embeddings are for.
 */
export async function benchRetrieval({ report, directory }: Bench): Promise<void> {
  const pages = manPages(directory, MOST_PAGES);
  const questions = questionsOf(pages);
  if (questions.length < QUERIES / 3) throw new Error('This machine has too few manual pages in /usr/share/man.');
  const plain = plainSearch(pages);
  const served = await serve('knowledge');
  const knowledge = new ServedKnowledge(served);
  try {
    await knowledge.ingest(STORE, writtenCsv(directory, pages), {
      csvContentColumns: 'body',
      csvMetadataColumns: 'name',
    });
    const ours = ourSearch(knowledge);
    const [plainClean, ourClean] = [await judged(plain, questions, 'clean'), await judged(ours, questions, 'clean')];
    const [plainTyped, ourTyped] = [
      await judged(plain, questions, 'mistyped'),
      await judged(ours, questions, 'mistyped'),
    ];
    report.table('retrieval', `${pages.length} manual pages, ${questions.length} queries`, [
      { what: 'plain BM25, clean', values: plainClean },
      compared('ours, clean', ourClean, plainClean, 1),
      { what: 'plain BM25, typing errors', values: plainTyped },
      compared('ours, typing errors', ourTyped, plainTyped, 1.4),
    ]);
  } finally {
    knowledge.close();
    await served.stop();
  }
}

function questionsOf(pages: ManPage[]): Question[] {
  const random = new Random(SEED);
  const asked = pages.filter(({ summary }) => summary.split(' ').length >= LEAST_WORDS);
  return Array.from({ length: Math.min(QUERIES, asked.length) }, () => {
    const [page] = asked.splice(random.below(asked.length), 1) as [ManPage];
    return { clean: page.summary, mistyped: withTypingErrors(page.summary, random), answer: page.name };
  });
}

/** All that is needed for it: the tokenizer and the ranking that SQLite has by default, and any of the words. */
function plainSearch(pages: ManPage[]): Search {
  const database = new BetterSqlite3(':memory:');
  database.exec("CREATE VIRTUAL TABLE pages USING fts5(name UNINDEXED, body, tokenize = 'unicode61')");
  const insert = database.prepare('INSERT INTO pages VALUES (?, ?)');
  for (const { name, body } of pages) insert.run(name, body);
  const select = database.prepare('SELECT name FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?').pluck();
  return async (query) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    return select.all(words.map((word) => `"${word}"`).join(' OR '), AT) as string[];
  };
}

function ourSearch(knowledge: ServedKnowledge): Search {
  return async (query) => {
    const { results } = await knowledge.search(STORE, query, CHUNKS);
    return [...new Set(results.map(({ metadata }) => metadata.name as string))].slice(0, AT);
  };
}

/** One answer is right: nDCG is then 1 / log2(1 + its place). */
async function judged(search: Search, questions: Question[], kind: 'clean' | 'mistyped') {
  let gain = 0;
  let found = 0;
  const started = performance.now();
  for (const { answer, ...query } of questions) {
    const place = (await search(query[kind])).indexOf(answer);
    if (place === -1) continue;
    gain += 1 / Math.log2(place + 2);
    found += 1;
  }
  const count = questions.length;
  const rounded = (share: number) => Number((share / count).toFixed(3));
  return { 'nDCG@10': rounded(gain), 'recall@10': rounded(found), 'ms/query': (performance.now() - started) / count };
}

type Judged = Awaited<ReturnType<typeof judged>>;

function compared(what: string, ours: Judged, plain: Judged, atLeast: number): Line {
  const ratio = Number((ours['nDCG@10'] / plain['nDCG@10']).toFixed(3));
  return { what, values: { ...ours, 'x plain': ratio }, demanded: { of: 'x plain', atLeast } };
}

function writtenCsv(directory: string, pages: ManPage[]): string {
  const path = join(directory, 'man-pages.csv');
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  writeFileSync(path, `name,body\n${pages.map(({ name, body }) => `${quoted(name)},${quoted(body)}\n`).join('')}`);
  return path;
}
