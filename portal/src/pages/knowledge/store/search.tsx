import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Form, TextField, typing } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import type { VectorStore } from '../knowledge.ts';
import { filterOf } from '../state.ts';
import { useAnswer } from './answer.ts';
import { Passage } from './passage.tsx';

const route = getRouteApi('/shell/knowledge/$store');

const PROBLEMS = {
  json: t('This is not valid JSON.'),
  pair: t('Write a key, an equals sign and a value, such as lang=en.'),
};

/** Asks the store, as agents do, and shows the passages that answer. */
export function Search({ store }: { store: VectorStore }) {
  const { query = '', filter = '' } = route.useSearch();
  const [text, setText] = useState(query);
  const [where, setWhere] = useState(filter);
  useEffect(() => setText(query), [query]);
  useEffect(() => setWhere(filter), [filter]);
  const setSearch = useSetSearch();
  const given = filterOf(where);
  const problem = 'problem' in given ? PROBLEMS[given.problem] : undefined;
  const ask = () => {
    if (problem === undefined) setSearch({ query: text.trim() || undefined, filter: where.trim() || undefined });
  };
  return (
    <Section id="search-store" title={t('Search')}>
      <Form onSubmit={ask} role="search" aria-labelledby="search-store">
        <div className="fields">
          <TextField
            label={t('Question or words')}
            type="search"
            maxLength={4_000}
            help={
              store.embedder === 'none'
                ? t('Passages with these words are found; misspelt words are corrected.')
                : t('Passages with these words, and with the same meaning, are found.')
            }
            {...typing(text, setText)}
          />
          <TextField
            label={t('Only where')}
            help={t('Metadata of documents and rows, such as lang=en, or {example}.', {
              example: '{"year": {"gte": 2024}}',
            })}
            error={problem}
            spellCheck={false}
            {...typing(where, setWhere)}
          />
        </div>
        <div className="row">
          <Button type="submit" look="primary" icon="search">
            {t('Search')}
          </Button>
        </div>
      </Form>
      {query !== '' && <Answer store={store} isFiltered={filter !== ''} />}
    </Section>
  );
}

function Answer({ store, isFiltered }: { store: VectorStore; isFiltered: boolean }) {
  const answer = useAnswer();
  const { data } = answer;
  const best = data?.results[0]?.score ?? 0;
  const isByWordsAlone = data?.mode === 'lexical' && store.embedder !== 'none';
  return (
    <>
      <QueryState query={answer} height={160} />
      {data && (
        <p role="status" className="small muted">
          {data.results.length === 0 && !isByWordsAlone
            ? nothingFound(store.documents, isFiltered)
            : [foundInWords(data.results.length), data.note].filter(Boolean).join(' · ')}
        </p>
      )}
      {data && data.results.length > 0 && (
        <ol className="items" aria-label={t('Passages, the best first')}>
          {data.results.map((found) => (
            <Passage key={`${found.documentId} ${found.chunkIndex}`} found={found} words={data.words} best={best} />
          ))}
        </ol>
      )}
    </>
  );
}

const foundInWords = (count: number) =>
  count > 0 && t.count(count, '{count} passage, the best first', '{count} passages, the best first');

/** The note of the answer says the same in English only. */
function nothingFound(documents: number, isFiltered: boolean): string {
  if (documents === 0) return t('The store has no documents yet.');
  return isFiltered
    ? t('Nothing was found. Use other words, or a wider filter.')
    : t('Nothing was found. Use other words.');
}
