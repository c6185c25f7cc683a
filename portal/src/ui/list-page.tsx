import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Scope, useSession } from '../api/session.ts';
import { Button, ButtonLink } from './button.tsx';
import { TextField, typing } from './field.tsx';
import { type Noun, type NounTexts, nounTexts } from './nouns.ts';
import { PageHead } from './page-head.tsx';
import { EmptyState, QueryState } from './states.tsx';
import { useSetSearch } from './use-set-search.ts';

const PAUSE_MS = 250;

interface ListPageProps<Data> {
  title: string;
  noun: Noun;
  query: { data: Data | undefined; error: unknown; refetch(): unknown };
  /** The right to create one. */
  right: Scope;
  /** The page of a new one, or a function that opens its dialog. */
  add: '/alerts/new-alert' | '/digests/new-digest' | '/metrics/new-metric' | '/segments/new-segment' | (() => void);
  /** The other views of the page. */
  views?: ReactNode;
  /** A sentence before the list. */
  intro?: ReactNode;
  /** A sentence on what to search for; without it, the page has no search field. */
  searchHelp?: string;
  /** A field that narrows the list in place of a search, and what stands there if nothing is left. */
  filter?: { isSet: boolean; field: ReactNode; noMatch: ReactNode };
  /** A sentence on what they are for, on a page without any. */
  purpose: string;
  /** The list, if there is something to list. */
  children(data: Data, mayWrite: boolean): ReactNode;
}

/** The page of a list: its head with the button, its search, its rows, and what to do if there are none. */
export function ListPage<Data extends { total: number }>(props: ListPageProps<Data>) {
  const { title, noun, query, right, add, views, intro, purpose, children } = props;
  const texts = nounTexts(noun);
  const { can } = useSession();
  const mayWrite = can(right);
  const search = useSearchFilter(texts, props.searchHelp);
  const filter = props.filter ?? search;
  const { data } = query;
  return (
    <>
      <PageHead title={title}>
        {mayWrite && typeof add === 'string' ? (
          <ButtonLink look="primary" icon="add" to={add}>
            {texts.add}
          </ButtonLink>
        ) : (
          <Button
            look="primary"
            icon="add"
            reason={mayWrite ? undefined : texts.readOnly}
            onClick={typeof add === 'string' ? undefined : add}
          >
            {texts.add}
          </Button>
        )}
      </PageHead>
      <div className="stack">
        {views}
        {intro && <p className="muted">{intro}</p>}
        {filter && (filter.isSet || data?.total !== 0) && filter.field}
        <QueryState query={query} height={320} />
        {data && data.total > 0 && children(data, mayWrite)}
        {data?.total === 0 && (
          <div className="panel">
            {filter?.isSet ? (
              filter.noMatch
            ) : (
              <EmptyState title={texts.none}>
                <p>{purpose}</p>
                {!mayWrite && <p>{texts.readOnly}</p>}
                {mayWrite && typeof add === 'string' && <Link to={add}>{texts.first}</Link>}
              </EmptyState>
            )}
          </div>
        )}
      </div>
    </>
  );
}

function useSearchFilter(
  { search: label = '', noMatch = '' }: NounTexts,
  help: string | undefined,
): ListPageProps<unknown>['filter'] {
  const { search } = useSearch({ strict: false });
  if (help === undefined) return undefined;
  return {
    isSet: search !== undefined,
    field: <SearchField label={label} />,
    noMatch: (
      <EmptyState title={noMatch}>
        <p>{help}</p>
      </EmptyState>
    ),
  };
}

interface SearchFieldProps {
  label: string;
  /** The part of the text that may stand in the address. */
  cleaned?(search: string | undefined): string | undefined;
}

/** A field that searches while the user types. The address has the search; the field follows it when it changes. */
export function SearchField({ label, cleaned = (search) => search }: SearchFieldProps) {
  const { search: value = '' } = useSearch({ strict: false });
  const setSearch = useSetSearch();
  const [text, setText] = useState(value);
  const known = useRef(value);
  useEffect(() => {
    if (value !== known.current) setText(value);
    known.current = value;
  }, [value]);
  const search = useEffectEvent((wanted: string) => {
    known.current = wanted;
    setSearch({ search: cleaned(wanted || undefined), page: undefined, after: undefined });
  });
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === known.current) return undefined;
    const timer = setTimeout(() => search(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <search className="search">
      <TextField label={label} type="search" maxLength={200} {...typing(text, setText)} />
    </search>
  );
}
