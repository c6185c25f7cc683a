import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Scope, useSession } from '../api/session.ts';
import { Button, ButtonLink } from './button.tsx';
import { TextField, typing } from './field.tsx';
import { PageHead } from './page-head.tsx';
import { EmptyState, QueryState } from './states.tsx';
import { useSetSearch } from './use-set-search.ts';

const PAUSE_MS = 250;

interface ListPageProps<Data> {
  title: string;
  noun: 'alert' | 'digest' | 'metric' | 'segment' | 'term' | 'annotation';
  query: { data: Data | undefined; error: unknown; refetch(): unknown };
  /** The nouns as the page names them while it loads; by default the plural. */
  what?: string;
  /** The right to create one. */
  right: Scope;
  /** The page of a new one, or a function that opens its dialog. */
  add: '/alerts/new-alert' | '/digests/new-digest' | '/metrics/new-metric' | '/segments/new-segment' | (() => void);
  verb?: 'create' | 'define' | 'add';
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
  const { title, noun, query, what = `${noun}s`, right, add, views, intro, purpose, children } = props;
  const { can } = useSession();
  const mayWrite = can(right);
  const search = useSearchFilter(noun, props.searchHelp);
  const filter = props.filter ?? search;
  const { data } = query;
  return (
    <>
      <PageHead title={title}>
        {mayWrite && typeof add === 'string' ? (
          <ButtonLink look="primary" icon="add" to={add}>
            New {noun}
          </ButtonLink>
        ) : (
          <Button
            look="primary"
            icon="add"
            reason={mayWrite ? undefined : `Your role lets you look at ${noun}s, not ${props.verb ?? 'create'} them.`}
            onClick={typeof add === 'string' ? undefined : add}
          >
            {typeof add === 'string' ? 'New' : 'Add'} {noun}
          </Button>
        )}
      </PageHead>
      <div className="stack">
        {views}
        {intro && <p className="muted">{intro}</p>}
        {filter && (filter.isSet || data?.total !== 0) && filter.field}
        <QueryState query={query} what={what} height={320} />
        {data && data.total > 0 && children(data, mayWrite)}
        {data?.total === 0 && (
          <div className="panel">
            {filter?.isSet ? (
              filter.noMatch
            ) : (
              <EmptyState title={`No ${noun}s yet`}>
                <p>{purpose}</p>
                <HowToBegin noun={noun} add={add} verb={props.verb ?? 'create'} mayWrite={mayWrite} />
              </EmptyState>
            )}
          </div>
        )}
      </div>
    </>
  );
}

function useSearchFilter(noun: string, help: string | undefined): ListPageProps<unknown>['filter'] {
  const { search } = useSearch({ strict: false });
  if (help === undefined) return undefined;
  return {
    isSet: search !== undefined,
    field: <SearchField label={`Search ${noun}s`} />,
    noMatch: (
      <EmptyState title={`No ${noun} matches`}>
        <p>{help}</p>
      </EmptyState>
    ),
  };
}

type HowToBeginProps = Required<Pick<ListPageProps<unknown>, 'noun' | 'add' | 'verb'>> & { mayWrite: boolean };

function HowToBegin({ noun, add, verb, mayWrite }: HowToBeginProps) {
  if (!mayWrite) {
    return (
      <p>
        Your role may look at {noun}s, not {verb} them.
      </p>
    );
  }
  return typeof add === 'string' && <Link to={add}>{verb === 'define' ? 'Define' : 'Create'} the first one</Link>;
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
