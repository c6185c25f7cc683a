import { loadConfig } from '../../config.ts';
import { invalid } from '../../core/base/shared/errors.ts';
import { counted, oneLine } from '../../core/base/shared/text.ts';
import type { SearchAnswer } from '../../core/knowledge/schema.ts';
import type { SearchMode } from '../../core/knowledge/store.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { untilInterrupted } from '../input/prompt.ts';
import { KnowledgeClient } from '../knowledge/client.ts';
import { print } from '../presentation/output.ts';
import { withDestination } from '../server/destination.ts';

interface SearchOptions extends AdministrationOptions {
  store: string;
  tenant: string;
  limit: string;
  mode?: SearchMode;
  filter?: string;
  url?: string;
}

const SHOWN_LINES = 12;

export async function run(words: string[], options: SearchOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir, url: options.url }, { logLevel: 'warn' });
  const { store, tenant, mode, filter } = options;
  const request = {
    query: words.join(' '),
    limit: Number(options.limit),
    ...(mode && { mode }),
    ...(filter !== undefined && { filter: filterOf(filter) }),
  };
  const answer = await withDestination(
    config,
    { command: 'search', tenant, scopes: ['knowledge:read'] },
    (destination) => untilInterrupted((signal) => new KnowledgeClient(destination, signal).search(store, request)),
  );
  print(options, answer, inWords(answer));
}

function filterOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('--filter: is not JSON; write an object such as {"lang": "en"}');
  }
}

function inWords({ results, mode, total, note }: SearchAnswer): string[] {
  const passages = results.flatMap((result, index) => [
    `${index + 1}. ${sourceLine(result.source)}`,
    ...shownLines(result.text),
    '',
  ]);
  const found = results.length === 0 ? [] : [`${results.length} of ${counted(total, 'passage')}, ${mode} search.`];
  return [...passages, ...found, ...(note === undefined ? [] : [oneLine(note)])];
}

type Source = SearchAnswer['results'][number]['source'];

function sourceLine({ name, page, row, line, heading }: Source): string {
  const positions = Object.entries({ page, row, line }).filter(([, number]) => number !== undefined);
  // A row makes its line redundant.
  const position = positions[0]?.join(' ');
  return [name, heading, position].flatMap((part) => (part === undefined ? [] : [oneLine(part)])).join(', ');
}

/** Without control characters: a document may hold terminal escape sequences. */
function shownLines(text: string): string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => oneLine(line).trimEnd())
    .filter((line) => line !== '');
  const left = lines.length - SHOWN_LINES;
  return [...lines.slice(0, SHOWN_LINES), ...(left > 0 ? [`... and ${counted(left, 'more line')}`] : [])].map(
    (line) => `   ${line}`,
  );
}
