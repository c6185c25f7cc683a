import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Item, ItemList } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { ListPage } from '../../../ui/list-page.tsx';
import { TERMS, type Term, type TermChange } from './terms.ts';

const TermDialog = lazyDialog(() => import('./dialogs.tsx'));

const route = getRouteApi('/shell/metrics');
/** The API's limit for a page; a search finds the others. */
const MAX_SHOWN = 1_000;

/** The business glossary. */
export function Terms({ views }: { views: ReactNode }) {
  const { search } = route.useSearch();
  const [change, setChange] = useState<TermChange | null>(null);
  const params = { query: { limit: MAX_SHOWN, ...(search !== undefined && { search }) } };
  return (
    <>
      <ListPage
        title={t('Glossary')}
        views={views}
        noun="term"
        query={api.useQuery('get', TERMS, { params }, { placeholderData: keepPreviousData })}
        right="metrics:write"
        add={() => setChange({ kind: 'add' })}
        searchHelp={t('Search for a part of a term or of a synonym.')}
        purpose={t(
          'A term is a word of your business with its definition. Agents read them, and find a metric by its term.',
        )}
      >
        {({ terms, total }, mayWrite) => (
          <>
            <ItemList label={t('Terms')}>
              {terms.map((term) => (
                <TermItem key={term.term} term={term} onChange={mayWrite ? setChange : null} />
              ))}
            </ItemList>
            {total > terms.length && (
              <p className="small muted">
                {t('{count} of {total} terms. Search to find the others.', { count: terms.length, total })}
              </p>
            )}
          </>
        )}
      </ListPage>
      {change && <TermDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

function TermItem({ term, onChange }: { term: Term; onChange: ((change: TermChange) => void) | null }) {
  const { synonyms = [], metric } = term;
  return (
    <Item
      title={term.term}
      beside={
        synonyms.length > 0 && (
          <span className="small muted">{t('also {synonyms}', { synonyms: synonyms.join(', ') })}</span>
        )
      }
      end={
        onChange && (
          <>
            <IconButton
              icon="edit"
              label={t('Edit {title}', { title: term.term })}
              onClick={() => onChange({ kind: 'edit', term })}
            />
            <IconButton
              icon="trash"
              label={t('Delete {title}', { title: term.term })}
              onClick={() => onChange({ kind: 'delete', term })}
            />
          </>
        )
      }
    >
      <p className="prose-text" dir="auto">
        {term.definition}
      </p>
      {metric !== undefined && (
        <p className="small muted">
          {t.nodes('Means the metric {metric}', {
            metric: (
              <Link to="/metrics/$name" params={{ name: metric }} preload={false}>
                {metric}
              </Link>
            ),
          })}
        </p>
      )}
    </Item>
  );
}
