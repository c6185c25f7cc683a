import { type Caller, requireScope } from '../base/shared/caller.ts';
import { invalid, notFound, RuntimeError, unprocessable } from '../base/shared/errors.ts';
import { listNames } from '../base/shared/names.ts';
import type { Embedders } from './embedder.ts';
import { testsOf } from './filter.ts';
import type { FoundKnowledge, SearchAnswer, SearchKnowledge, SearchRequest } from './schema.ts';
import {
  type KnowledgeStore,
  NO_EMBEDDER,
  type SearchHit,
  type SearchMode,
  type SearchResult,
  type VectorStore,
} from './store.ts';

export interface KnowledgeSearchParts {
  store: Pick<KnowledgeStore, 'search'>;
  embedders: Embedders;
  /** Throws `not_found`. */
  findStore(caller: Caller, name: string): Promise<VectorStore>;
  storeNames(caller: Caller): Promise<string[]>;
}

const MAX_ANSWER_BYTES = 40 * 1024;

export class KnowledgeSearch {
  private readonly parts: KnowledgeSearchParts;

  constructor(parts: KnowledgeSearchParts) {
    this.parts = parts;
  }

  /** Throws `not_found`, `unprocessable` (no vectors) and, in mode `vector`, `upstream`. */
  async search(caller: Caller, name: string, request: SearchRequest, signal: AbortSignal): Promise<SearchAnswer> {
    requireScope(caller, 'knowledge:read');
    const found = await this.parts.findStore(caller, name);
    const { query, limit, filter = {} } = request;
    const asked = this.modeOf(found, request.mode);
    const { vector, weight, fault } = await this.vectorOf(found, query, asked, signal);
    const mode = vector ? asked : 'lexical';
    const result = await this.parts.store.search(caller.tenantId, {
      store: name,
      text: mode === 'vector' ? null : query,
      vector,
      vectorWeight: weight,
      tests: testsOf(filter),
      limit,
    });
    const { hits, total, repaired, words } = result ?? { hits: [], total: 0, repaired: [], words: [] };
    const note = noteOf({
      found,
      repaired,
      fault,
      isEmpty: hits.length === 0,
      isFiltered: Object.keys(filter).length > 0,
    });
    return { results: hits.map(shownHit), mode, embedder: found.embedder, total, words, ...(note !== '' && { note }) };
  }

  /** For agents: defaults to the only store; throws `invalid` with the names of several. */
  async answer(caller: Caller, request: SearchKnowledge, signal: AbortSignal): Promise<FoundKnowledge> {
    requireScope(caller, 'knowledge:read');
    const { vectorStore: named, ...rest } = request;
    const vectorStore = named ?? (await this.onlyStore(caller));
    const { words: _, ...answer } = await this.search(caller, vectorStore, rest, signal);
    const fitting = answer.results.slice(0, fittingIn(answer.results, MAX_ANSWER_BYTES));
    const left = answer.results.length - fitting.length;
    const cut = left === 0 ? [] : [`${left} more passages were left out, since the answer would be too long.`];
    const note = [...(answer.note === undefined ? [] : [answer.note]), ...cut].join(' ');
    return { vectorStore, ...answer, results: fitting, ...(note !== '' && { note }) };
  }

  private async onlyStore(caller: Caller): Promise<string> {
    const names = await this.parts.storeNames(caller);
    const [only] = names;
    if (only !== undefined && names.length === 1) return only;
    if (only === undefined)
      throw notFound(
        'There is no vector store yet. Files are ingested into one by POST /api/v1/runtime/v1/vectors/files/ingest.',
      );
    throw invalid(`vectorStore: is required, since there are ${listNames(names)}`);
  }

  private modeOf({ name, embedder }: VectorStore, asked: SearchMode | undefined): SearchMode {
    if (embedder !== NO_EMBEDDER) return asked ?? 'hybrid';
    if (asked !== 'vector') return 'lexical';
    throw unprocessable(
      `mode: the store ${name} has no vectors, since it was made without an embedder. Search it with mode lexical.`,
    );
  }

  /** On failure the search continues by words, except in mode `vector`. */
  private async vectorOf(
    { embedder: name, dimensions }: VectorStore,
    query: string,
    mode: SearchMode,
    signal: AbortSignal,
  ) {
    if (mode === 'lexical' || dimensions === null) return { vector: null, weight: 0, fault: null };
    try {
      const embedder = this.parts.embedders.of(name, dimensions)!;
      const { vectors } = await embedder.embed([query], 'query', signal);
      // Without semantics, vectors only fill up what words did not find.
      return { vector: vectors, weight: embedder.semantic ? 1 : 0, fault: null };
    } catch (error) {
      if (mode === 'vector' || !(error instanceof RuntimeError) || signal.aborted) throw error;
      return { vector: null, weight: 0, fault: error.message };
    }
  }
}

function shownHit({ name, place, headings, score, ...hit }: SearchHit): SearchAnswer['results'][number] {
  return {
    ...hit,
    score: Number(score.toPrecision(6)),
    source: { name, ...place, ...(headings.length > 0 && { heading: headings.join(' > ') }) },
  };
}

interface Noted {
  found: VectorStore;
  repaired: SearchResult['repaired'];
  fault: string | null;
  isEmpty: boolean;
  isFiltered: boolean;
}

function noteOf({ found, repaired, fault, isEmpty, isFiltered }: Noted): string {
  const notes = repaired.map(
    ({ word, by }) => `No passage has the word "${word}"; searched for ${by.map((one) => `"${one}"`).join(' and ')}.`,
  );
  if (fault !== null) notes.push(`Searched by words alone: ${fault}`);
  if (isEmpty && found.documents === 0) notes.push('The store has no documents yet.');
  else if (isEmpty) {
    notes.push(`Nothing was found. Use other words${isFiltered ? ', or a wider filter' : ''}.`);
  }
  return notes.join(' ');
}

/** At least one. */
function fittingIn(results: SearchAnswer['results'], bytes: number): number {
  let left = bytes;
  const tooMuch = results.findIndex((result) => {
    left -= Buffer.byteLength(JSON.stringify(result));
    return left < 0;
  });
  return tooMuch === -1 ? results.length : Math.max(tooMuch, 1);
}
