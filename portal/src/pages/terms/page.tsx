import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { EmptyState, QueryState } from '../../ui/states.tsx';
import { useSetSearch } from '../../ui/use-set-search.ts';
import { TERMS, type Term, type TermChange } from './terms.ts';

const TermDialog = lazyDialog(() => import('./dialogs.tsx'));

const route = getRouteApi('/shell/terms');
/** The API's limit for a page; a search finds the others. */
const MAX_SHOWN = 1_000;

/** The business glossary. */
export function Terms() {
  const { search } = route.useSearch();
  const setSearch = useSetSearch();
  const { can } = useSession();
  const mayWrite = can('metrics:write');
  const [change, setChange] = useState<TermChange | null>(null);
  const params = { query: { limit: MAX_SHOWN, ...(search !== undefined && { search }) } };
  const query = api.useQuery('get', TERMS, { params }, { placeholderData: keepPreviousData });
  const { data } = query;
  return (
    <>
      <PageHead title="Glossary">
        {mayWrite && (
          <Button look="primary" icon="add" onClick={() => setChange({ kind: 'add' })}>
            Add term
          </Button>
        )}
      </PageHead>
      <div className="stack">
        {(search !== undefined || data?.total !== 0) && (
          <SearchField label="Search terms" value={search} onSearch={(next) => setSearch({ search: next })} />
        )}
        <QueryState query={query} what="the glossary" height={320} />
        {data && data.terms.length > 0 && (
          <ItemList label="Terms">
            {data.terms.map((term) => (
              <TermItem key={term.term} term={term} onChange={mayWrite ? setChange : null} />
            ))}
          </ItemList>
        )}
        {data && data.total > data.terms.length && (
          <p className="small muted">
            {data.terms.length.toLocaleString()} of {data.total.toLocaleString()} terms. Search to find the others.
          </p>
        )}
        {data?.total === 0 && <NoTerms search={search} mayWrite={mayWrite} />}
      </div>
      {change && <TermDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

function TermItem({ term, onChange }: { term: Term; onChange: ((change: TermChange) => void) | null }) {
  const { synonyms = [], metric } = term;
  return (
    <Item
      title={term.term}
      beside={synonyms.length > 0 && <span className="small muted">also {synonyms.join(', ')}</span>}
      end={
        onChange && (
          <>
            <IconButton icon="edit" label={`Edit ${term.term}`} onClick={() => onChange({ kind: 'edit', term })} />
            <IconButton icon="trash" label={`Delete ${term.term}`} onClick={() => onChange({ kind: 'delete', term })} />
          </>
        )
      }
    >
      <p className="prose-text" dir="auto">
        {term.definition}
      </p>
      {metric !== undefined && (
        <p className="small muted">
          Means the metric{' '}
          <Link to="/metrics/$name" params={{ name: metric }} preload={false}>
            {metric}
          </Link>
        </p>
      )}
    </Item>
  );
}

function NoTerms({ search, mayWrite }: { search: string | undefined; mayWrite: boolean }) {
  return (
    <div className="panel">
      {search !== undefined ? (
        <EmptyState title="No term matches">
          <p>Search for a part of a term or of a synonym.</p>
        </EmptyState>
      ) : (
        <EmptyState title="No terms yet">
          <p>A term is a word of your business with its definition. Agents read them, and find a metric by its term.</p>
          {!mayWrite && <p>Your role may look at terms, not add them.</p>}
        </EmptyState>
      )}
    </div>
  );
}
